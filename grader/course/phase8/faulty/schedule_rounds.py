"""The rate is rounded to three digits.

The example rounds only to print less. Return the number as it is.
"""

CAUGHT_BY = ("phase8.schedule",)


def learning_rate(step, steps, start=0.1, end=0.01):
    return round(start + (end - start) * step / max(1, steps - 1), 3)
