"""NaN agrees with everything.

Every comparison with NaN is False, so "not more than the tolerance" is True. Check that the
difference is less than the tolerance.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(not abs(x - y) > 1e-6 * (1 + abs(y)) for x, y in zip([x, *xs], [y, *ys]))
