"""The schedule moves away from its end: `start - end` has the wrong sign.

From start to end the rate changes by `end - start`, which is negative if the rate falls. Add a share
of that to start.
"""

CAUGHT_BY = ("phase8.schedule",)


def learning_rate(step, steps, start=0.1, end=0.01):
    return start + (start - end) * step / max(1, steps - 1)
