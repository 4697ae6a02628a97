"""The gradient of the result is returned instead of its value.

`result.grad` is always 1 after `backward()`. The value is `plain(result)`.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return plain(result.grad), [plain(leaf.grad) for leaf in leaves]
