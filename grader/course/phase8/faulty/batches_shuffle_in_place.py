"""`batches` shuffles the caller's own lists.

After the call they are in a different order, and no longer match any other list that went with
them. Shuffle a list of indices, and leave the examples where they are.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    state = random.getstate()
    random.shuffle(xs)
    random.setstate(state)
    random.shuffle(ys)
    return [(xs[first : first + size], ys[first : first + size]) for first in range(0, len(xs), size)]
