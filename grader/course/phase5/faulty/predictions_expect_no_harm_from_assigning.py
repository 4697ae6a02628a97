"""`predictions` expects `=` to give the same gradient as `+=`.

`=` throws away what is there. The last share wins, and the others are lost.
"""

CAUGHT_BY = ("phase5.predict-shares",)


class Value:
    @staticmethod
    def predictions():
        return {
            "a after f": 1, "a after s": 7, "a with =": 7,
            "s again": 2, "a again": 20,
            "a from both": 11,
        }
