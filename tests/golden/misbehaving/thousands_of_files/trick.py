import os
kept = []
try:
    for _ in range(2000):
        kept.append(os.open(os.devnull, os.O_RDONLY))
    print("HARM")
except OSError:
    pass
for descriptor in kept:
    os.close(descriptor)
