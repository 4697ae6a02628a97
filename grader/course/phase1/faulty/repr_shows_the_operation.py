"""The text of a result ends with its operation.

The form is the same for every Value: `Value(data=5.0, grad=0.0)`.
"""

CAUGHT_BY = ("phase1.repr",)


class Value:
    def __repr__(self):
        operation = f", op={self._op}" if self._prev else ""
        return f"Value(data={self.data}, grad={self.grad}{operation})"
