"""`plain` cuts off the decimals.

`int(...)` turns -1.25 into -1. The numbers here are floats.
"""

CAUGHT_BY = ("ext6.plain",)


def plain(thing):
    if thing is None:
        return 0.0
    if hasattr(thing, "item"):
        return float(int(thing.item()))
    return float(int(getattr(thing, "data", thing)))
