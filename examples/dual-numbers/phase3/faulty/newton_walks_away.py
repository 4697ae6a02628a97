"""Newton's step with a plus.

If f and its slope are positive, the tangent crosses zero to the left of x: x - f(x) / f'(x).
"""

CAUGHT_BY = ("phase3.newton-step",)


def newton(f, x, steps=20):
    for _ in range(steps):
        y = f(Dual(x, 1.0))
        if y.value == 0:
            break
        x += y.value / y.slope
    return x
