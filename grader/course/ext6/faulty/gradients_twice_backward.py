"""`backward()` is called twice.

Gradients add up, so after a second pass they are too large, and not even all by the same factor.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]
