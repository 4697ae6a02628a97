"""The differences are added up without their signs, not squared.

Distances measure the error too, but their slope is always 1 or -1, however large the error is. A
square punishes large errors more. Write `(prediction - target) ** 2`.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    return sum(((p - t) ** 2) ** 0.5 for p, t in zip(predictions, targets))
