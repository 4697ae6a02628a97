"""`batches` shuffles the first half of the examples and the second half separately.

An example of the first half never meets one of the second in most batches. Shuffle all of them at
once.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    half = len(xs) // 2
    first, second = list(range(half)), list(range(half, len(xs)))
    random.shuffle(first)
    random.shuffle(second)
    order = first + second
    parts = [order[begin : begin + size] for begin in range(0, len(order), size)]
    return [([xs[i] for i in part], [ys[i] for i in part]) for part in parts]
