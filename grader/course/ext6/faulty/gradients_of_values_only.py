"""`gradients` makes its leaves with `Value`, whatever `make` is.

With your own engine nobody notices, but then every comparison is between your engine and itself.
Call `make`.
"""

CAUGHT_BY = ("ext6.any-engine",)


def gradients(make, f, numbers):
    leaves = [Value(number) for number in numbers]
    result = f(*leaves)
    result.backward()
    return plain(result), [plain(leaf.grad) for leaf in leaves]
