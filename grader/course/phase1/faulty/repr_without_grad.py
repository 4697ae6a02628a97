"""`__repr__` leaves out the gradient.

`Value(data=5.0)` tells only half of the story. In phase 4 you will want to see both numbers at a
glance: `Value(data=5.0, grad=0.0)`.
"""

CAUGHT_BY = ("phase1.repr",)


class Value:
    def __repr__(self):
        return f"Value(data={self.data})"
