"""Six gradients, predicted before an engine computes them."""


def predictions():
    return {
        "a after f": 1, "a after s": 7, "a with =": 3,
        "s again": 2, "a again": 20,
        "a from both": 11,
    }  # fmt: skip
