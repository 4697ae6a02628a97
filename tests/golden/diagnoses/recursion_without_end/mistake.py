"""phase3.negative engine: two operators in a circle"""


class Value:
    def __neg__(self):
        return 0 - self

    def __rsub__(self, other):
        return other + (-self)
