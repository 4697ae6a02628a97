"""`agree` takes a gradient that is missing for 0.

A result with one gradient more is a different result, even if that gradient is 0. Compare the
lengths of the two lists.
"""

CAUGHT_BY = ("ext6.disagree",)


def agree(one, other):
    import itertools

    (x, xs), (y, ys) = one, other
    pairs = itertools.zip_longest([x, *xs], [y, *ys], fillvalue=0.0)
    return all(abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in pairs)
