"""The margin loss uses `max(0, ...)` on a Value.

`max` compares, and a Value cannot be compared with 0. For a Value, the larger of 0 and itself is
`.relu()`, which also passes the gradient on.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    losses = [max(0, 1 - label * score) for score, label in zip(scores, labels)]
    return sum(losses) / len(losses)
