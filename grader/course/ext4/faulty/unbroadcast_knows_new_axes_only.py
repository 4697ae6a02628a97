"""`unbroadcast` sums over axes added in front, but not over axes of length 1.

There are two ways to be stretched. An existing axis of length 1 is repeated as well: sum over it,
and keep it.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    return gradient
