"""`agree` compares with `==`.

To a computer 0.1 + 0.2 is not exactly 0.3, but that is no mistake. Allow for rounding.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    return one == other
