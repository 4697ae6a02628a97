"""`-a` defined by `0 - a`, and `0 - a` by `-a`.

Each asks the other, and none begins. One of them must stand on something that does not need it: `self * -1` is a good
ground.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        return 0 - self
