"""The leaves are made once and kept for the next call.

Gradients add up in them, call after call. Make new leaves, which start at 0.
"""

CAUGHT_BY = ("ext6.fresh-leaves",)


def gradients(make, f, numbers, known={}):
    key = id(make), tuple(numbers)
    if key not in known:
        known[key] = make, [make(number) for number in numbers]
    leaves = known[key][1]
    result = f(*leaves)
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]
