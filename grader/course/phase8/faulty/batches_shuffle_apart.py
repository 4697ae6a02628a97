"""The inputs and the targets are shuffled separately.

An x then gets the target of a different x, so there is nothing to learn. Shuffle one list of
indices, or of pairs, so that the two stay together.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    xs, ys = list(xs), list(ys)
    random.shuffle(xs)
    random.shuffle(ys)
    return [(xs[first : first + size], ys[first : first + size]) for first in range(0, len(xs), size)]
