"""The inputs are shuffled, the targets are shuffled, and each by itself.

After that an x stands beside the target of another, and there is nothing right to be learnt. Shuffle one list of
indices, or of pairs, so that the two stay together.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    xs, ys = list(xs), list(ys)
    random.shuffle(xs)
    random.shuffle(ys)
    return [(xs[first : first + size], ys[first : first + size]) for first in range(0, len(xs), size)]
