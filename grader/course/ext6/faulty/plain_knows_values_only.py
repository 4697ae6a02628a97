"""`plain` handles only Values.

It also gets plain numbers, and None for a gradient that nothing has reached: see the list in the
docstring.
"""

CAUGHT_BY = ("ext6.plain",)


def plain(thing):
    return float(thing.data)
