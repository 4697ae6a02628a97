"""The tolerance depends only on the size of the numbers.

Around 0 it shrinks to nothing, although 1e-12 and 0 differ by rounding alone. That is what the 1 in
`1e-6 * (1 + abs(y))` is for.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(abs(x - y) <= 1e-6 * abs(y) for x, y in zip([x, *xs], [y, *ys]))
