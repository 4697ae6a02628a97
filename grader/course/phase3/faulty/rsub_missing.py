"""No `__rsub__`.

In `3 - a` Python asks the 3 first, which does not know what a Value is, and then asks `a` for `__rsub__`. Mind the
order in it: the answer is `other + (-self)`.
"""

CAUGHT_BY = ("phase3.number-minus",)
DELETES = ("Value.__rsub__",)
