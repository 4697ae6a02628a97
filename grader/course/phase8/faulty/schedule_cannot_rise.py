"""The rate falls even if it should rise.

A rate may also grow, as in a warm-up: `learning_rate(step, steps, 0.1, 0.3)`. The line from `start`
to `end` has the slope `end - start`, whichever of the two is greater.
"""

CAUGHT_BY = ("phase8.schedule",)


def learning_rate(step, steps, start=0.1, end=0.01):
    return start - abs(end - start) * step / max(1, steps - 1)
