"""`a ** n` puts the power into `a` and returns `a`.

The old number of `a` is lost, but its derivative needs it. Make a new Value: `Value(self.data**n,
(self,), ...)`.
"""

CAUGHT_BY = ("phase3.power",)


class Value:
    def __pow__(self, n):
        self.data = self.data**n
        return self
