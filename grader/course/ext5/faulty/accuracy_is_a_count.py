"""`accuracy` returns how many are right, not which share of them.

Divide by the number of points. Shares can be compared where there are more points, counts cannot.
"""

CAUGHT_BY = ("ext5.accuracy", "ext5.share")


def accuracy(model, xs, ys):
    return sum((model(x).data > 0) == (y > 0) for x, y in zip(xs, ys))
