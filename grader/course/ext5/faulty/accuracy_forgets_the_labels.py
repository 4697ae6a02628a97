"""`accuracy` is the share of the scores above 0.

That says how often the model says 1, not how often it is right to. Compare with the label of each point.
"""

CAUGHT_BY = ("ext5.accuracy", "ext5.share")


def accuracy(model, xs, ys):
    right = [model(x).data > 0 for x in xs]
    return sum(right) / len(right)
