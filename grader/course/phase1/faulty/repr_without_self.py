"""`__repr__` writes `data` and `grad` without `self.`.

Inside a method, `data` alone means a variable, and there is no variable of that name. The number
belongs to the object: `{self.data}`.
"""

CAUGHT_BY = ("phase1.repr",)


class Value:
    def __repr__(self):
        return f"Value(data={data}, grad={grad})"
