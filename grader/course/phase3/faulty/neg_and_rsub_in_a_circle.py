"""`-a` uses `0 - a`, and `0 - a` uses `-a`.

Each calls the other, and neither ever returns. One of them must do without the other: define `-a`
as `self * -1`.
"""

CAUGHT_BY = ("phase3.negative",)


class Value:
    def __neg__(self):
        return 0 - self
