"""The examples are cut into batches first, and then each batch is shuffled separately.

The same examples always share a batch, and if the data is sorted, a batch sees only one kind. The
order inside a batch makes no difference (the sum is the same): shuffle everything first, then cut.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    parts = []
    for first in range(0, len(xs), size):
        pairs = list(zip(xs[first : first + size], ys[first : first + size]))
        random.shuffle(pairs)
        parts.append(([x for x, _ in pairs], [y for _, y in pairs]))
    return parts
