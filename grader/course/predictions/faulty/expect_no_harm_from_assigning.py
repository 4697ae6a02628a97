"""`predictions` expects `=` to give the same gradient as `+=`.

`=` throws away what is there. The last share wins, and the others are lost.
"""

CAUGHT_BY = ("predictions.shares",)


def predictions():
    return {
        "a after f": 1, "a after s": 7, "a with =": 7,
        "s again": 2, "a again": 20,
        "a from both": 11,
    }
