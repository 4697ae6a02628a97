"""`3 - a` computes `a - 3`.

Python calls `a.__rsub__(3)`: `self` is on the right of the minus sign. Return `other + (-self)`.
"""

CAUGHT_BY = ("phase3.number-minus",)


class Value:
    def __rsub__(self, other):
        return self - other
