"""The power is put into `self`, and `self` is returned.

Then the old number of `a` is lost, and its derivative needs it. Make a new Value: `Value(self.data**n, (self,), ...)`.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, n):
        self.data = self.data**n
        return self
