"""The batches overlap, because each begins one place after the last.

`range(len(order))` counts in ones. Begin a batch only every `size` places:
`range(0, len(order), size)`.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    order = list(range(len(xs)))
    random.shuffle(order)
    parts = [order[first : first + size] for first in range(len(order))]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]
