"""`__rtruediv__` is missing.

In `3 / a` Python asks the 3 first, which does not know what a Value is, and then calls
`a.__rtruediv__(3)`. Return `other * self**-1`.
"""

CAUGHT_BY = ("phase3.number-divided",)
DELETES = ("Value.__rtruediv__",)
