"""The squared loss is divided by the number of examples.

A mean is a loss too, but it divides the gradient, and so each step, by that number. Here the loss
is the sum of the squares.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    total = sum((prediction - target) ** 2 for prediction, target in zip(predictions, targets))
    return total / len(predictions)
