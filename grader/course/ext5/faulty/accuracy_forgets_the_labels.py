"""`accuracy` is the share of scores above 0, whatever the labels are.

That says how often the model answers 1, not how often it is right. Compare each score with the
label of its point.
"""

CAUGHT_BY = ("ext5.accuracy", "ext5.share")


def accuracy(model, xs, ys):
    right = [model(x).data > 0 for x in xs]
    return sum(right) / len(right)
