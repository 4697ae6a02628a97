"""The squared loss squares the sum of the differences.

Differences of opposite signs cancel out before they are squared. Square each difference, then add
the squares up.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    return sum(p - t for p, t in zip(predictions, targets)) ** 2
