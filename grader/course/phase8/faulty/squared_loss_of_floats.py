"""The squared loss takes the numbers out of the predictions and returns a float.

A float has no graph, so it has no `backward()`. Compute with the predictions themselves, without
`.data`. Wrapping the sum in `Value(...)` would not help: the graph would still be gone.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    return sum((prediction.data - target) ** 2 for prediction, target in zip(predictions, targets))
