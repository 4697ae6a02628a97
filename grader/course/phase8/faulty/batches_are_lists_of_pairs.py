"""Each batch is a list of pairs (x, y) instead of a pair of lists.

`train_step` takes all inputs first and then all targets, so a batch is two lists: `(xs, ys)`.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    pairs = list(zip(xs, ys))
    random.shuffle(pairs)
    return [pairs[first : first + size] for first in range(0, len(pairs), size)]
