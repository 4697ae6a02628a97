"""The list of predictions is overwritten.

It belongs to the caller, who may still need the predictions. Put the results into a new list.
"""

CAUGHT_BY = ("phase8.squared-loss",)


def squared_loss(predictions, targets):
    for index, target in enumerate(targets):
        predictions[index] = (predictions[index] - target) ** 2
    return sum(predictions)
