"""`plain` returns an int as it is.

The result is to be a float in every case: `float(thing)`.
"""

CAUGHT_BY = ("ext6.plain",)


def plain(thing):
    if thing is None:
        return 0.0
    if hasattr(thing, "item"):
        return float(thing.item())
    return getattr(thing, "data", thing)
