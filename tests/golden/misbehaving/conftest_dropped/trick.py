import os
try:
    name = os.path.join(os.path.dirname(SUITE), "conftest.py")
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    os.unlink(name)
    print("HARM")
except OSError:
    pass
