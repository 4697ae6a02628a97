"""`__rsub__` is missing.

In `3 - a` Python asks the 3 first, which does not know what a Value is, and then calls
`a.__rsub__(3)`. Mind the order: return `other + (-self)`.
"""

CAUGHT_BY = ("phase3.number-minus",)
DELETES = ("Value.__rsub__",)
