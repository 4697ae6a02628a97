"""`max_margin_loss` rounds 1 / n.

A third is not 0.333. Divide the sum by the number of examples.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    losses = [(1 - label * score).relu() for score, label in zip(scores, labels)]
    return sum(losses) * round(1 / len(losses), 3)
