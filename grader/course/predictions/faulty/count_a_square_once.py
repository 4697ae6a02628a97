"""`predictions` counts only one share of `a * a`.

`a` is both factors. Nudge it, and both of them move, so each of them sends a share: 3 and 3.
"""

CAUGHT_BY = ("predictions.shares",)


def predictions():
    return {
        "a after f": 1, "a after s": 4, "a with =": 3,
        "s again": 2, "a again": 11,
        "a from both": 8,
    }
