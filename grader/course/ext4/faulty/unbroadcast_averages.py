"""`unbroadcast` takes the mean instead of the sum.

Every place where a number was used sends a share, and shares add up. With a mean the gradient is
too small.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.mean(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis=axis, keepdims=True)
    return gradient
