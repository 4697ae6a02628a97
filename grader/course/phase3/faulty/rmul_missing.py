"""`__rmul__` is missing.

In `2 * a` Python asks the 2 first, which does not know what a Value is, and then calls
`a.__rmul__(2)`. The order does not matter for a product: `return self * other`.
"""

CAUGHT_BY = ("phase3.number-times",)
DELETES = ("Value.__rmul__",)
