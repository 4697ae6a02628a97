# ruff: noqa: N802
def Value(x):
    return x
