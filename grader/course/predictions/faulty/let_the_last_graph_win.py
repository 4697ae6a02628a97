"""`predictions` replaces the gradient of the first graph by that of the second.

`backward()` clears nothing. `a` gets 7 from `f`, and then 4 more from `g`.
"""

CAUGHT_BY = ("predictions.again",)


def predictions():
    return {
        "a after f": 1, "a after s": 7, "a with =": 3,
        "s again": 2, "a again": 20,
        "a from both": 4,
    }
