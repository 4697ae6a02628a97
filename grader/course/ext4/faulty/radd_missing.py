"""`__radd__` is missing.

For `2 + t` and `array + t` Python first asks the left operand, which cannot do it, and then the
Tensor, through `__radd__`.
"""

CAUGHT_BY = ("ext4.plain-operands",)
DELETES = ('Tensor.__radd__',)


class Tensor:
    pass
