"""`return` is inside the loop, so the squared loss counts only the first example.

A function ends at its first `return`. Move it out of the loop, level with the `for`.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    total = 0
    for prediction, target in zip(predictions, targets):
        total = total + (prediction - target) ** 2
        return total
