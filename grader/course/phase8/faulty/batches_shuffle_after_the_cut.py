"""The examples are cut into batches first, and then each batch is shuffled by itself.

The same examples meet in a batch for ever, and where the data is sorted a batch sees one kind only. The order inside a batch makes no
difference, its sum is the same: shuffle everything, and cut then.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    parts = []
    for first in range(0, len(xs), size):
        pairs = list(zip(xs[first : first + size], ys[first : first + size]))
        random.shuffle(pairs)
        parts.append(([x for x, _ in pairs], [y for _, y in pairs]))
    return parts
