"""`accuracy` counts a point only if its score is beyond the margin.

The margin of 1 belongs to the loss, which asks for more than is needed. A point is right if the
sign is right.
"""

CAUGHT_BY = ("ext5.accuracy", "ext5.share")


def accuracy(model, xs, ys):
    right = [y * model(x).data >= 1 for x, y in zip(xs, ys)]
    return sum(right) / len(right)
