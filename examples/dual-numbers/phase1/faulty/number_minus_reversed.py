"""`3 - a` computes `a - 3`.

Python calls `a.__rsub__(3)`: `self` is on the right of the minus sign. Start with `other`.
"""

CAUGHT_BY = ("phase1.number-minus",)


class Dual:
    def __rsub__(self, other):
        return self - other
