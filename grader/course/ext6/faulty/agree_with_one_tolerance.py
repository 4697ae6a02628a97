"""The tolerance is the same for all numbers.

A float has about 16 digits. Of a thousand million the seventh decimal is rounding, and the tolerance has to grow with the number.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(abs(x - y) < 1e-6 for x, y in zip([x, *xs], [y, *ys]))
