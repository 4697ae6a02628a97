import atexit, sys

atexit.register(print, "goodbye")
atexit.register(lambda: 1 / 0)
sys.excepthook = sys.displayhook = sys.unraisablehook = None
