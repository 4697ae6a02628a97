"""Each batch is a list of pairs (x, y), and not a pair of lists.

`train_step` takes all inputs first and all targets after them: a batch is `(xs, ys)`, two lists.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    pairs = list(zip(xs, ys))
    random.shuffle(pairs)
    return [pairs[first : first + size] for first in range(0, len(pairs), size)]
