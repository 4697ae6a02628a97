"""`accuracy` returns how many points are right instead of their share.

Divide by the number of points. You can compare shares of different numbers of points, but not
counts.
"""

CAUGHT_BY = ("ext5.accuracy", "ext5.share")


def accuracy(model, xs, ys):
    return sum((model(x).data > 0) == (y > 0) for x, y in zip(xs, ys))
