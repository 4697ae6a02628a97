"""phase3.number-minus engine: __rsub__ calls itself"""


class Value:
    def __rsub__(self, other):
        return other - self
