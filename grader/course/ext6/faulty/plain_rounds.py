"""`plain` rounds to six decimals.

Small gradients become 0. Return the number as it is; `agree` has the tolerance.
"""

CAUGHT_BY = ("ext6.plain",)


def plain(thing):
    if thing is None:
        return 0.0
    if hasattr(thing, "item"):
        return round(float(thing.item()), 6)
    return round(float(getattr(thing, "data", thing)), 6)
