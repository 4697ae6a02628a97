"""The gradient of the result is returned in place of its value.

`result.grad` is 1 after `backward()`, always. The value is what `plain(result)` finds.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return plain(result.grad), [plain(leaf.grad) for leaf in leaves]
