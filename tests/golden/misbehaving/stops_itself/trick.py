import os, signal
Value.__add__ = lambda self, other: os.kill(os.getpid(), signal.SIGSTOP)
