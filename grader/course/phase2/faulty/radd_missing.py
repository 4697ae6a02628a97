"""No `__radd__`.

In `1 + a` Python asks the 1 first, which does not know what a Value is, and then asks `a` for `__radd__`. A sum does
not care about the order: `return self + other`.
"""

CAUGHT_BY = ("phase2.number-left",)
DELETES = ("Value.__radd__",)
