import os, signal
try:
    os.kill(-1, signal.SIGTERM)
    print('HARM')
except OSError:
    pass
