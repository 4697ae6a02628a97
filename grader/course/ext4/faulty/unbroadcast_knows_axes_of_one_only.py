"""`unbroadcast` sums over axes of length 1, but not over axes added in front.

A shape of (3,) has no axis of length 1, and yet each of its numbers was used once for every row.
While the gradient has more axes than the shape, sum over the first.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    for axis, size in enumerate(shape):
        if size == 1 and gradient.ndim == len(shape):
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient
