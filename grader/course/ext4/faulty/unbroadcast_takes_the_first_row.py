"""`unbroadcast` takes the first row and leaves the others.

All rows were made with that operand, not the first alone. Their shares add up.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient[0]
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.take([0], axis=axis)
    return gradient
