"""The inputs are shuffled, the targets are shuffled, each by itself, and both in place.

After that an x stands beside the target of another. Shuffle one list of indices, or of pairs, so that the two stay together.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    random.shuffle(xs)
    random.shuffle(ys)
    return [(xs[first : first + size], ys[first : first + size]) for first in range(0, len(xs), size)]
