"""`a - b` computes `b - a`.

The minus sign belongs to the second operand: `self + (-other)`. In `__sub__`, `self` is on the
left.
"""

CAUGHT_BY = ("phase3.minus",)


class Value:
    def __sub__(self, other):
        return other + (-self)
