"""`sin` puts the sine into its operand and gives that back.

Then x is gone, and whoever uses it elsewhere uses another number. Make a new Value.
"""

CAUGHT_BY = ("ext1.sin",)


def sin(x):
    x.data = math.sin(x.data)
    return x
