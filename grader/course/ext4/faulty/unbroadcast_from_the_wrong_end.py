"""`unbroadcast` takes axes off at the end.

Shapes are written flush right: what is missing is missing on the left. With square matrices the shape comes out right and the numbers
do not, so that nothing complains.
"""

CAUGHT_BY = ("ext4.unbroadcast",)


def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=-1)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient
