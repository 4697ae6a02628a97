"""`sin` puts the sine into its operand and returns that.

The old number of x is lost, and any other expression that uses x gets a different number. Make a
new Value.
"""

CAUGHT_BY = ("ext1.sin",)


def sin(x):
    x.data = math.sin(x.data)
    return x
