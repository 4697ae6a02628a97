"""The margin loss is not divided by the number of examples.

A sum grows with the number of examples, and so does each step. Here the loss is the mean: divide by
`len(losses)`.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    return sum((1 - label * score).relu() for score, label in zip(scores, labels))
