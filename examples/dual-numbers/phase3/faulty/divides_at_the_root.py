"""At the root it divides again.

At a root like that of x * x the slope is 0, too, and 0 / 0 raises an error. Once f(x) is 0 there is nothing to improve: stop.
"""

CAUGHT_BY = ("phase3.newton-stops",)


def newton(f, x, steps=20):
    for _ in range(steps):
        y = f(Dual(x, 1.0))
        x -= y.value / y.slope
    return x
