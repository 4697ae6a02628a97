"""`agree` compares with ==.

0.1 + 0.2 is not 0.3 to a computer, and right all the same. Allow for rounding.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    return one == other
