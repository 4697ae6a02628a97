"""`__sub__` calls itself forever, because it returns `self - other`.

`self - other` is exactly what `__sub__` has to compute. Use operations that work already: `self +
(-other)`.
"""

CAUGHT_BY = ("phase3.minus",)


class Value:
    def __sub__(self, other):
        return self - other
