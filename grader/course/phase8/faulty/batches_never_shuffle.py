"""`batches` keeps the examples in their order.

The same examples then always share a batch. Shuffle a list of indices before you cut it.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    starts = range(0, len(xs), size)
    return [(xs[first : first + size], ys[first : first + size]) for first in starts]
