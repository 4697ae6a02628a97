"""`unbroadcast` removes only one extra axis.

A number that is added to a matrix is stretched along two axes. Use `while`, not `if`.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    if gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1 and axis < gradient.ndim:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient
