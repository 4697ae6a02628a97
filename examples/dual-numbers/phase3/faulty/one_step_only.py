"""One step, whatever `steps` is.

The `return` is inside the loop. Indent it less, so that it comes after the `for`.
"""

CAUGHT_BY = ("phase3.newton-step",)


def newton(f, x, steps=20):
    for _ in range(steps):
        y = f(Dual(x, 1.0))
        if y.value == 0:
            break
        x -= y.value / y.slope
        return x
    return x
