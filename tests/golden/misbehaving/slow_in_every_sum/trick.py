import time

_right = Value.__add__
Value.__add__ = lambda self, other: time.sleep(1) or _right(self, other)
