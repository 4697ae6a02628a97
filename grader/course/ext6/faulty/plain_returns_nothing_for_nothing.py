"""`plain(None)` returns None.

PyTorch uses None for a gradient that nothing has reached. As a number that is 0.0.
"""

CAUGHT_BY = ("ext6.plain",)


def plain(thing):
    if thing is None:
        return None
    if hasattr(thing, "item"):
        return float(thing.item())
    return float(getattr(thing, "data", thing))
