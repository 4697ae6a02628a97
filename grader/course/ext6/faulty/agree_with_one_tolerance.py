"""The tolerance is the same for all numbers.

A float has only about 16 digits. In a number near 1e9 the seventh decimal is rounding, so the
tolerance has to grow with the number.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(abs(x - y) < 1e-6 for x, y in zip([x, *xs], [y, *ys]))
