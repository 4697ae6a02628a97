"""Your dual numbers.

Work from top to bottom. Each `raise NotImplementedError` is a place to write; delete the line and
put your code there. Names, arguments and results are as the docstrings say; everything else is up
to you. After each method:

    grade phase1        (then phase2 and phase3; `grade` alone says where you are)

You can try it at any time: `python -i dual.py`.
"""


class Dual:
    """A number that knows how fast it changes.

    Turn x a little and watch f(x): how much faster does it move than x? That is the derivative, and
    there is a way to have it computed along with f(x), exactly, by the very code that computes
    f(x). Carry two numbers in place of one: the *value*, and the *slope*, which is how fast the
    value changes when x does. Every operation computes both, for its result, from both of its
    operands. At the end of the formula the slope is the derivative of the whole formula.

    On paper it is written 3 + 2e: value 3, slope 2, and an e that is so small that e * e is 0.
    Calculate with it as with any sum, drop every e * e, and the rules below fall out.
    """

    # --- Phase 1: a pair of numbers, sums and differences
    # --------------------------------------------------------------

    def __init__(self, value, slope=0.0):
        """Phase 1. Set two attributes: `self.value` and `self.slope`, both as they are given.

        x itself changes exactly as fast as x does, so for it the slope is 1: `Dual(3.0, 1.0)`. A
        constant does not change at all; that is what you get if you say nothing: `Dual(5.0)` has
        the slope 0.0.

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
        """Phase 1. `self + other`, where `other` is a Dual or a plain number: a new Dual. The
        operands stay as they are.

        If one thing grows twice as fast as x and another three times as fast, their sum grows five
        times as fast. In e:
        (a + b*e) + (c + d*e) = (a + c) + (b + d)*e. A plain number is a constant, and constants
        have the slope 0.

        >>> Dual(3.0, 2.0) + Dual(4.0, 5.0)
        Dual(7.0, 7.0)
        >>> Dual(3.0, 2.0) + 1
        Dual(4.0, 2.0)
        """
        raise NotImplementedError("phase 1: Dual.__add__")

    def __radd__(self, other):
        """Phase 1. `other + self`, where `other` is a plain number, as in `1 + x`.

        Python asks the left side first. A plain 1 does not know how to add a Dual, so Python turns
        to the right side and calls `x.__radd__(1)`.

        >>> 1 + Dual(3.0, 2.0)
        Dual(4.0, 2.0)
        """
        raise NotImplementedError("phase 1: Dual.__radd__")

    def __neg__(self):
        """Phase 1. `-self`: what goes up as fast as x does, mirrored, goes down.

        >>> -Dual(3.0, 2.0)
        Dual(-3.0, -2.0)
        """
        raise NotImplementedError("phase 1: Dual.__neg__")

    def __sub__(self, other):
        """Phase 1. `self - other`, where `other` is a Dual or a plain number. Two methods that you
        have are enough.

        >>> Dual(3.0, 2.0) - Dual(4.0, 5.0)
        Dual(-1.0, -3.0)
        """
        raise NotImplementedError("phase 1: Dual.__sub__")

    def __rsub__(self, other):
        """Phase 1. `other - self` for a plain number. Mind the order: Python calls `x.__rsub__(10)`
        for `10 - x`.

        >>> 10 - Dual(3.0, 2.0)
        Dual(7.0, -2.0)
        """
        raise NotImplementedError("phase 1: Dual.__rsub__")

    # --- Phase 2: products, quotients, powers
    # --------------------------------------------------------------------------

    def __mul__(self, other):
        """Phase 2. `self * other`, where `other` is a Dual or a plain number.

        Multiply it out:

            (a + b*e) * (c + d*e) = a*c + (b*c + a*d)*e + b*d*e*e

        and e * e is 0. What is left in front of the e is the product rule. Each factor brings its
        slope, and the *value* of the other one says how much that counts: in a rectangle that
        grows, each side paints a strip along the other.

        >>> Dual(3.0, 2.0) * Dual(4.0, 5.0)
        Dual(12.0, 23.0)
        >>> Dual(3.0, 2.0) * 10
        Dual(30.0, 20.0)
        """
        raise NotImplementedError("phase 2: Dual.__mul__")

    def __rmul__(self, other):
        """Phase 2. `other * self` for a plain number: `2 * x`."""
        raise NotImplementedError("phase 2: Dual.__rmul__")

    def __truediv__(self, other):
        """Phase 2. `self / other`, where `other` is a Dual or a plain number.

        You need not look the rule up. Call the quotient q: then q * other is self, and the product
        rule says how the three slopes hang together,

            self.slope = q.slope * other.value + q.value * other.slope

        of which q.slope is the only one that you do not know. Division by zero stays what it is in
        Python: a ZeroDivisionError.

        >>> Dual(6.0, 5.0) / Dual(2.0, 1.0)
        Dual(3.0, 1.0)
        """
        raise NotImplementedError("phase 2: Dual.__truediv__")

    def __rtruediv__(self, other):
        """Phase 2. `other / self` for a plain number, which is a constant. Again the order matters.

        >>> 6 / Dual(2.0, 1.0)
        Dual(3.0, -1.5)
        """
        raise NotImplementedError("phase 2: Dual.__rtruediv__")

    def __pow__(self, exponent):
        """Phase 2. `self ** exponent`, where the exponent is a plain int or float.

        (a + b*e)**2 is a*a + 2*a*b*e: twice the base, times *its own slope*. In general d(u**n) = n
        * u**(n-1) * du, for n = 2 as
        for n = -1 or n = 0.5. The last factor is the chain rule, and the one that is easily
        forgotten: the base need not be x
        itself. A base of 0 is no obstacle: the slope of x**2 at 0 is 0. An exponent that is no int
        or float, a Dual too, is refused
        with a TypeError.

        >>> Dual(3.0, 2.0) ** 2
        Dual(9.0, 12.0)
        """
        raise NotImplementedError("phase 2: Dual.__pow__")


# --- Phase 3: what it is good for
# --------------------------------------------------------------------------------------


def derivative(f, x):
    """Phase 3. The derivative of the function `f` at the plain number `x`, as a plain number.

    `f` takes one number and computes with + - * / and **. It was written for plain numbers, and
    knows nothing of dual ones; give it a Dual all the same. Which slope has x itself? And which
    number of the result is the answer?

    A function may ignore its argument and return a plain number (`lambda x: 7.0`): that is a
    constant, and its derivative is 0.

    >>> derivative(lambda x: x * x, 3.0)
    6.0
    """
    raise NotImplementedError("phase 3: derivative")


def newton(f, x, steps=20):
    """Phase 3. Look for a root of `f`, a number at which it is 0, beginning at the plain number
    `x`: so many steps of Newton's method.

    At x, put a straight line along f: it has the height f(x) and the slope f'(x). Where the line
    meets zero is a better guess:

        x - f(x) / f'(x)

    Take that for the next x. Once f(x) is exactly 0 stop: you are there, and at a root such as that
    of x * x the slope is 0 as well. A slope of 0 anywhere else leads nowhere; leave the
    ZeroDivisionError to Python. Return a plain number.

    >>> newton(lambda x: x * x - 2, 1.0, steps=1)
    1.5
    >>> newton(lambda x: x * x - 2, 1.0)
    1.414213562373095
    """
    raise NotImplementedError("phase 3: newton")
