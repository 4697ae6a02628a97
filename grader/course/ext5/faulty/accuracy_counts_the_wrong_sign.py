"""`accuracy` counts the points whose score has the sign of the other label.

A network that has learnt well then seems to have learnt nothing. Count where score and label agree:
both above 0, or neither.
"""

CAUGHT_BY = ("ext5.accuracy", "ext5.share")


def accuracy(model, xs, ys):
    right = [model(x).data * y < 0 for x, y in zip(xs, ys)]
    return sum(right) / len(right)
