"""No `__rtruediv__`.

In `3 / a` Python asks the 3 first, which does not know what a Value is, and then asks `a` for `__rtruediv__`. The
answer is `other * self**-1`.
"""

CAUGHT_BY = ("phase3.number-divided",)
DELETES = ("Value.__rtruediv__",)
