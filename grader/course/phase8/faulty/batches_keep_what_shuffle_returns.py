"""`order = random.shuffle(...)` is None.

`random.shuffle` shuffles the list that it gets and returns nothing. Make the list first, shuffle it
on a separate line, and use the list.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    order = random.shuffle(list(range(len(xs))))
    parts = [order[first : first + size] for first in range(0, len(xs), size)]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]
