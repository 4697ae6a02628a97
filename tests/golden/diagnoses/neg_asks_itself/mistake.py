"""phase3.negative engine: __neg__ calls itself"""


class Value:
    def __neg__(self):
        return -self
