"""The gradients are read before `backward()`.

Then they are what they were in the beginning. First the forward pass, then backward, then read.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    found = [plain(leaf.grad) for leaf in leaves]
    result.backward()
    return plain(result), found
