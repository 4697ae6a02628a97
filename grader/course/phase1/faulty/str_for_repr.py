"""The class defines `__str__` instead of `__repr__`.

`print` uses `__str__`, but the interactive shell, lists and error messages use `__repr__`. Define
`__repr__`, and `print` will use it too.
"""

CAUGHT_BY = ("phase1.repr",)
DELETES = ("Value.__repr__",)


class Value:
    def __str__(self):
        return f"Value(data={self.data}, grad={self.grad})"
