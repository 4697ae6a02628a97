"""The schedule goes from `end` to `start`.

Training begins with large steps and ends with small ones. Start at `start`, and add a share of `end
- start`.
"""

CAUGHT_BY = ("phase8.schedule",)


def learning_rate(step, steps, start=0.1, end=0.01):
    return end + (start - end) * step / max(1, steps - 1)
