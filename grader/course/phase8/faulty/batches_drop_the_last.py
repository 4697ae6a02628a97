"""`batches` leaves out the last, smaller batch.

`range(0, len(xs) - size + 1, size)` stops before it. A slice may be short at the end, so `range(0,
len(xs), size)` is enough.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    order = list(range(len(xs)))
    random.shuffle(order)
    parts = [order[first : first + size] for first in range(0, len(xs) - size + 1, size)]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]
