import os
try:
    os.kill(os.getppid(), 0)
    print('HARM')
except OSError:
    pass
