"""`batches` looks up the target of an example with `xs.index(x)`.

`index` finds the first of two equal inputs, and the second one gets its target. Shuffle the numbers
of the examples, or pairs of input and target.
"""

CAUGHT_BY = ("phase8.batches",)


def batches(xs, ys, size):
    order = random.sample(xs, len(xs))
    parts = [order[first : first + size] for first in range(0, len(order), size)]
    return [(part, [ys[xs.index(x)] for x in part]) for part in parts]
