try:
    print("HARM", open(SUITE).read(10) and "")
except OSError:
    pass
