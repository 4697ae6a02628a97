"""The margin loss goes without relu.

A score far beyond the margin then makes the loss negative, and pays for examples that are on the wrong side. With
`.relu()` an example that is right costs nothing and earns nothing.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    losses = [1 - label * score for score, label in zip(scores, labels)]
    return sum(losses) / len(losses)
