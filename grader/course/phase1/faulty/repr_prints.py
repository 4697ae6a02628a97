"""`__repr__` prints the text and returns nothing.

Python calls `__repr__` to get a string, which it then shows itself. `print` returns None, so use
`return` with the f-string.
"""

CAUGHT_BY = ("phase1.repr",)


class Value:
    def __repr__(self):
        print(f"Value(data={self.data}, grad={self.grad})")
