"""The gradients are read before `backward()`.

At that point nothing has reached them. First comes the forward pass, then `backward()`, and only
then read the gradients.
"""

CAUGHT_BY = ("ext6.gradients",)


def gradients(make, f, numbers):
    leaves = [make(number) for number in numbers]
    result = f(*leaves)
    found = [plain(leaf.grad) for leaf in leaves]
    result.backward()
    return plain(result), found
