"""`__str__` in place of `__repr__`.

`__str__` serves `print`; the interactive shell, lists and error messages ask `__repr__`. Write that one, and `print`
will use it too.
"""

CAUGHT_BY = ("phase1.repr",)
DELETES = ("Value.__repr__",)


class Value:
    def __str__(self):
        return f"Value(data={self.data}, grad={self.grad})"
