"""phase3.times engine: no self"""


class Value:
    def __mul__(other):
        return other
