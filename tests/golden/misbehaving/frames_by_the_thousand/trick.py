import sys
sys.setrecursionlimit(50_000)


def _down(depth):
    return _down(depth - 1) if depth else 1 / 0


Value.__add__ = lambda self, other: _down(20_000)
