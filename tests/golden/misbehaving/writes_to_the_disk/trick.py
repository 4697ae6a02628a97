import os
try:
    with open(SPARE, "wb") as file:
        file.write(bytes(1 << 20))
    print("HARM")
except OSError:
    pass
finally:
    try:
        os.unlink(SPARE)
    except OSError:
        pass
