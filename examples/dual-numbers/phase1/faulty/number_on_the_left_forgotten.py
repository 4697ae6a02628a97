"""`3 + a` is not there.

For `3 + a` Python asks 3 first, which does not know how, and then calls `a.__radd__(3)`. A sum does not mind the order.
"""

CAUGHT_BY = ("phase1.number-plus",)
DELETES = ("Dual.__radd__",)
