"""`agree` does not look at the value.

Two expressions that differ by a constant have the same gradients. Compare the values as well.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in zip(xs, ys))
