"""`__radd__` is missing.

For `3 + a` Python asks 3 first, which cannot do it, and then calls `a.__radd__(3)`. The order of a sum does not matter.
"""

CAUGHT_BY = ("phase1.number-plus",)
DELETES = ("Dual.__radd__",)
