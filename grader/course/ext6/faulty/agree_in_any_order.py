"""`agree` sorts the gradients before it compares them.

The gradients of `a` and of `b` may then be exchanged, and nobody notices. Compare them in the order
in which they are given.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(
        abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in zip([x, *sorted(xs)], [y, *sorted(ys)])
    )
