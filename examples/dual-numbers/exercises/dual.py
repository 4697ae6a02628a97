"""Your dual numbers.

Work from top to bottom. Replace each `raise NotImplementedError` with your code. The docstrings
fix the names, arguments and results; everything else is up to you. After each method:

    grade phase1        (then phase2 and phase3; `grade` alone shows where you are)

You can try it at any time: `python -i dual.py`.
"""


class Dual:
    """A number that knows how fast it changes.

    Move x slightly and watch f(x): how many times as fast does it move? That is the derivative, and
    the code that computes f(x) can compute it too, exactly. Carry two numbers in place of one: the
    *value* and the *slope*, which is how fast the value changes when x does. Every operation
    computes the value and the slope of its result from the values and slopes of its operands. At
    the end, the slope is the derivative of the whole formula.

    On paper it is written 3 + 2e: value 3, slope 2, and an e so small that e * e is 0. Calculate
    with it as with any sum, drop every e * e, and you get the rules below.
    """

    # --- Phase 1: a pair of numbers, sums and differences ---

    def __init__(self, value, slope=0.0):
        """Phase 1. Store the arguments as `self.value` and `self.slope`.

        x itself changes exactly as fast as x does, so its slope is 1: `Dual(3.0, 1.0)`. A constant
        does not change at all, and that is the default: `Dual(5.0)` has the slope 0.0.

        >>> x = Dual(3.0, 1.0)
        >>> x.value, x.slope
        (3.0, 1.0)
        >>> Dual(5.0).slope
        0.0
        """
        raise NotImplementedError("phase 1: Dual.__init__")

    def __repr__(self):
        """Given: what Python shows for a dual number."""
        return f"Dual({self.value}, {self.slope})"

    def __add__(self, other):
        """Phase 1. Return `self + other` as a new Dual, where `other` is a Dual or a plain number.
        Do not change the operands.

        If one thing grows twice as fast as x and another three times as fast, their sum grows five
        times as fast. In e: (a + b*e) + (c + d*e) = (a + c) + (b + d)*e. A plain number is a
        constant, and constants have the slope 0.

        >>> Dual(3.0, 2.0) + Dual(4.0, 5.0)
        Dual(7.0, 7.0)
        >>> Dual(3.0, 2.0) + 1
        Dual(4.0, 2.0)
        """
        raise NotImplementedError("phase 1: Dual.__add__")

    def __radd__(self, other):
        """Phase 1. Return `other + self`, where `other` is a plain number, as in `1 + x`.

        Python asks the left side first. A plain 1 does not know how to add a Dual, so Python asks
        the right side and calls `x.__radd__(1)`.

        >>> 1 + Dual(3.0, 2.0)
        Dual(4.0, 2.0)
        """
        raise NotImplementedError("phase 1: Dual.__radd__")

    def __neg__(self):
        """Phase 1. Return `-self`: if x goes up, -x goes down just as fast.

        >>> -Dual(3.0, 2.0)
        Dual(-3.0, -2.0)
        """
        raise NotImplementedError("phase 1: Dual.__neg__")

    def __sub__(self, other):
        """Phase 1. Return `self - other`, where `other` is a Dual or a plain number. Two methods
        that you already have are enough.

        >>> Dual(3.0, 2.0) - Dual(4.0, 5.0)
        Dual(-1.0, -3.0)
        """
        raise NotImplementedError("phase 1: Dual.__sub__")

    def __rsub__(self, other):
        """Phase 1. Return `other - self` for a plain number. Mind the order: Python calls
        `x.__rsub__(10)` for `10 - x`.

        >>> 10 - Dual(3.0, 2.0)
        Dual(7.0, -2.0)
        """
        raise NotImplementedError("phase 1: Dual.__rsub__")

    # --- Phase 2: products, quotients, powers ---

    def __mul__(self, other):
        """Phase 2. Return `self * other`, where `other` is a Dual or a plain number.

        Multiply it out:

            (a + b*e) * (c + d*e) = a*c + (b*c + a*d)*e + b*d*e*e

        and e * e is 0. The factor of e that remains is the product rule. Each factor's slope counts
        as much as the *value* of the other factor: when a rectangle grows, each side sweeps out a
        strip as long as the other side.

        >>> Dual(3.0, 2.0) * Dual(4.0, 5.0)
        Dual(12.0, 23.0)
        >>> Dual(3.0, 2.0) * 10
        Dual(30.0, 20.0)
        """
        raise NotImplementedError("phase 2: Dual.__mul__")

    def __rmul__(self, other):
        """Phase 2. Return `other * self` for a plain number, as in `2 * x`."""
        raise NotImplementedError("phase 2: Dual.__rmul__")

    def __truediv__(self, other):
        """Phase 2. Return `self / other`, where `other` is a Dual or a plain number.

        You do not have to look up the rule. Call the quotient q. Then q * other is self, and the
        product rule connects the three slopes:

            self.slope = q.slope * other.value + q.value * other.slope

        Only q.slope is unknown, so solve for it. Leave Python's ZeroDivisionError for a division by
        zero.

        >>> Dual(6.0, 5.0) / Dual(2.0, 1.0)
        Dual(3.0, 1.0)
        """
        raise NotImplementedError("phase 2: Dual.__truediv__")

    def __rtruediv__(self, other):
        """Phase 2. Return `other / self` for a plain number, a constant. Again the order matters.

        >>> 6 / Dual(2.0, 1.0)
        Dual(3.0, -1.5)
        """
        raise NotImplementedError("phase 2: Dual.__rtruediv__")

    def __pow__(self, exponent):
        """Phase 2. Return `self ** exponent`, where the exponent is a plain int or float.

        (a + b*e)**2 is a*a + 2*a*b*e: twice the base times *its own slope*. In general
        d(u**n) = n * u**(n-1) * du, for n = 2 as well as for n = -1 or n = 0.5. The last factor is
        the chain rule. It is easy to forget, but the base may be more than x itself. A base of 0
        must work: the slope of x**2 at 0 is 0. Raise TypeError if the exponent is not an int or
        float, even if it is a Dual.

        >>> Dual(3.0, 2.0) ** 2
        Dual(9.0, 12.0)
        """
        raise NotImplementedError("phase 2: Dual.__pow__")


# --- Phase 3: derivatives and roots ---


def derivative(f, x):
    """Phase 3. Return the derivative of the function `f` at the plain number `x`, as a plain number.

    `f` takes one number and computes with + - * / and **. It was written for plain numbers, but you
    can give it a Dual. Which slope does x itself have? And which number of the result is the
    answer?

    A function may ignore its argument and return a plain number, as in `lambda x: 7.0`. That is a
    constant, and its derivative is 0.

    >>> derivative(lambda x: x * x, 3.0)
    6.0
    """
    raise NotImplementedError("phase 3: derivative")


def newton(f, x, steps=20):
    """Phase 3. Look for a root of `f`, a number where it is 0, with up to `steps` steps of Newton's
    method from the plain number `x`.

    Draw the tangent to f at x, with the height f(x) and the slope f'(x). It crosses zero at

        x - f(x) / f'(x)

    which is usually a better guess, so make it the next x. Stop once f(x) is exactly 0, because the
    slope may be 0 there as well, as for x * x. Anywhere else a slope of 0 leads nowhere, so leave
    Python's ZeroDivisionError. Return a plain number.

    >>> newton(lambda x: x * x - 2, 1.0, steps=1)
    1.5
    >>> newton(lambda x: x * x - 2, 1.0)
    1.414213562373095
    """
    raise NotImplementedError("phase 3: newton")
