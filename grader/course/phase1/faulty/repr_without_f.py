"""The `f` before the string is missing.

Without it Python does not look between the braces, and shows the names instead of the numbers. Put
an `f` before the opening quote.
"""

CAUGHT_BY = ("phase1.repr",)


class Value:
    def __repr__(self):
        return "Value(data={self.data}, grad={self.grad})"
