"""The tolerance becomes negative for some numbers.

`1e-6 * (1 + y)` is below 0 for y = -5000000, and no distance is less than that. Use `abs(y)`.
"""

CAUGHT_BY = ("ext6.agree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return len(xs) == len(ys) and all(abs(x - y) <= 1e-6 * abs(1 + y) if y > -1 else abs(x - y) < 1e-6 * (1 + y) for x, y in zip([x, *xs], [y, *ys]))
