"""`predictions` doubles the gradient of `a` in the second pass.

Doubling is right one step below the result, for `s`. But `s` then holds 2 and passes all of it on, so
`a` gets 6 from each factor this time.
"""

CAUGHT_BY = ("predictions.again",)


def predictions():
    return {
        "a after f": 1, "a after s": 7, "a with =": 3,
        "s again": 2, "a again": 14,
        "a from both": 11,
    }
