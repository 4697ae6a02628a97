import sys, threading

_seen = [0]


def _look(frame, event, argument):
    _seen[0] += 1


sys.setprofile(_look)
sys.settrace(lambda *rest: None)
threading.setprofile(_look)
