"""`batches` makes all batches nearly equal.

Nine examples in batches of 4 are 4, 4 and 1: only the last batch may be smaller.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    order = list(range(len(xs)))
    random.shuffle(order)
    count = -(-len(order) // size)
    parts = [order[first::count] for first in range(count)]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]
