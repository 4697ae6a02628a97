"""The margin loss does not use the labels.

Without them it pushes every score above 1, whatever side the example is on. The label turns the
score round for the other side: `1 - label * score`.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    losses = [(1 - score).relu() for score in scores]
    return sum(losses) / len(losses)
