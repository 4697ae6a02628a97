"""`unbroadcast` takes the mean.

Every place where a number was used sends a share, and shares add up. A mean would make the gradient depend on how often the number
was used, the wrong way round.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.mean(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis=axis, keepdims=True)
    return gradient
