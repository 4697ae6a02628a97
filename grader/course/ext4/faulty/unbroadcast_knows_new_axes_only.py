"""`unbroadcast` sums over axes that were added in front, but not over those of length 1.

There are two ways to be stretched. An axis of length 1 is repeated as well: sum over it, and keep
it.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    return gradient
