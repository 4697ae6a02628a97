"""`unbroadcast` sums over an axis of length 1 and drops it.

An operand with the shape (2, 1) has two axes, and so does its gradient. `keepdims=True` keeps the
axis, with length 1.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis in reversed(range(len(shape))):
        if shape[axis] == 1:
            gradient = gradient.sum(axis=axis)
    return gradient
