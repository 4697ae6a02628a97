import os, signal
try:
    os.kill(os.getppid(), signal.SIGSTOP)
    print('HARM')
except OSError:
    pass
