import os
Value.__radd__ = lambda self, other: os.abort()
