"""`max_margin_loss` takes the labels out of the caller's list.

The list belongs to the caller, who needs it for the next step. Go through both lists with `zip`.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    return sum((1 - labels.pop(0) * score).relu() for score in scores) / len(scores)
