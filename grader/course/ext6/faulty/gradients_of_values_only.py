"""`gradients` makes its leaves with `Value`, whatever `make` is.

With your own engine nobody notices; every comparison is then one of your engine with itself. Call `make`.
"""

CAUGHT_BY = ("ext6.any-engine",)


def gradients(make, f, numbers):
    leaves = [Value(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]
