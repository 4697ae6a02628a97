"""`unbroadcast` removes axes at the end.

Shapes are lined up on the right, so the extra axes are on the left. With square matrices the shape
comes out right but the numbers do not, so there is no error.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=-1)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient
