"""`agree` compares as many gradients as the shorter list has.

`zip` stops without a word when one side ends. Look at the lengths first.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    (x, xs), (y, ys) = one, other
    return all(abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in zip([x, *xs], [y, *ys]))
