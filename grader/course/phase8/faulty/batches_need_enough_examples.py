"""`batches` returns no batch if there are fewer examples than `size`.

Every example is in exactly one batch, and the last one may be smaller. Here the last one is the
first one, too.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    if size > len(xs):
        return []
    order = list(range(len(xs)))
    random.shuffle(order)
    parts = [order[first : first + size] for first in range(0, len(order), size)]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]
