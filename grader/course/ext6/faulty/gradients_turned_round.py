"""The leaves are passed to `f` in reverse.

`pop()` takes the last item of a list. The first number belongs to the first argument.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    waiting = list(leaves)
    result = f(*[waiting.pop() for _ in numbers])
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]
