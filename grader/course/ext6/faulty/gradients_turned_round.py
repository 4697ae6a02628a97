"""The leaves are handed over in reverse.

`pop()` takes the last of a list. The first number is for the first argument.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    waiting = list(leaves)
    result = f(*[waiting.pop() for _ in numbers])
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]
