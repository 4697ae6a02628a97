"""`agree` ignores the gradients that only the longer list has.

`zip` stops silently when one side ends. Compare the lengths first.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return all(abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in zip([x, *xs], [y, *ys]))
