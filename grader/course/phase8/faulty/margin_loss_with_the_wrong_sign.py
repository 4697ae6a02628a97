"""The margin loss has `1 + label * score`.

Scores on the right side then cost the most. `label * score` is large when the network is right, so
it must make the loss smaller: `1 - label * score`.
"""

CAUGHT_BY = ("phase8.max-margin-loss",)


def max_margin_loss(scores, labels):
    losses = [(1 + label * score).relu() for score, label in zip(scores, labels)]
    return sum(losses) / len(losses)
