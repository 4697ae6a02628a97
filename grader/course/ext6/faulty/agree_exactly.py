"""`agree` compares with `==`.

With floats 0.1 + 0.2 is not exactly 0.3, and still nothing is wrong. Allow for rounding.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    return one == other
