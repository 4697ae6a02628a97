"""`__radd__` is missing.

In `1 + a` Python asks the 1 first, which does not know what a Value is, and then calls
`a.__radd__(1)`. The order does not matter for a sum: `return self + other`.
"""

CAUGHT_BY = ("phase2.number-left",)
DELETES = ("Value.__radd__",)
