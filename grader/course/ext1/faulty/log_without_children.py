"""The result of `log` does not know its operand.

Without the second argument, `(x,)`, the graph ends here: `backward()` never reaches x or anything
below it.
"""

CAUGHT_BY = ("ext1.log-backward",)


def log(x):
    return Value(math.log(x.data))
