"""No `__rmul__`.

In `2 * a` Python asks the 2 first, which does not know what a Value is, and then asks `a` for `__rmul__`. A product
does not care about the order: `return self * other`.
"""

CAUGHT_BY = ("phase3.number-times",)
DELETES = ("Value.__rmul__",)
