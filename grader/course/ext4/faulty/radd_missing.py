"""There is no `__radd__`.

For `2 + t` and `array + t` Python asks the number first, which cannot, and then the Tensor, by this name.
"""

CAUGHT_BY = ("ext4.plain-operands",)
DELETES = ('Tensor.__radd__',)


class Tensor:
    pass
