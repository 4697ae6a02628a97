"""`agree` takes the difference without `abs`.

-1 is smaller than any tolerance. Only the distance counts, whichever number is larger: `abs(x -
y)`.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(x - y < 1e-6 * (1 + abs(y)) for x, y in zip([x, *xs], [y, *ys]))
