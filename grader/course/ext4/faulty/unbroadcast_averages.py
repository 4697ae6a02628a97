"""`unbroadcast` takes the mean instead of the sum.

Every place where a number was used sends a share, and shares add up. With a mean, a number gets the
same gradient however often it is used.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.mean(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis=axis, keepdims=True)
    return gradient
