"""phase3.number-minus engine: the reflected minus is the wrong way round"""


class Value:
    def __rsub__(self, other):
        return self - other
