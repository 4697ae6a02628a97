"""The differences are added up without being squared.

Differences of opposite signs then cancel out, and the loss can fall below 0. Square each one:
`(prediction - target) ** 2`.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    return sum(prediction - target for prediction, target in zip(predictions, targets))
