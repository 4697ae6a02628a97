"""`plain` knows Values, and nothing else.

A leaf that nothing has flowed into, and a plain number, are asked for as well: see the list in the docstring.
"""

CAUGHT_BY = ("ext6.plain",)


def plain(thing):
    return float(thing.data)
