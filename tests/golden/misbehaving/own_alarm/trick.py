import signal

signal.signal(signal.SIGALRM, lambda *rest: None)
signal.signal(signal.SIGTERM, lambda *rest: None)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
