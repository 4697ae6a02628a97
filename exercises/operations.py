"""More operations for your engine, as functions: `log(x)`, `sin(x)`, `cos(x)`, `sigmoid(x)`.

An operation does not have to be a method of the class. A function that makes a `Value`, records
what it was made from, and gives it a `_backward` has added one to the engine; `backward()` never
notices the difference. Each function here works like `tanh`:

- compute the number, and make a new Value that holds it and has `x` as its only child;
- give it a `_backward` that adds (local derivative) * (its own gradient) to `x.grad`, with `+=`.

    grade ext1

`x` is always a Value. Return a new one, and leave the number, gradient and children of `x` alone.
"""

import math

from engine import Value

# --- Ext 1: more operations -----------------------------------------------------------------------


def log(x):
    """Ext 1. Return the natural logarithm of `x`. The operation is "log".

    d log(x)/dx is 1/x. There is no logarithm of 0 or of a negative number, so `math.log` raises
    ValueError. Let it: if you add a small number to be safe, or clamp x, you get a wrong number
    that nobody notices.

    >>> x = Value(4.0)
    >>> y = log(x)
    >>> y.backward()
    >>> round(y.data, 4), x.grad
    (1.3863, 0.25)
    """
    raise NotImplementedError("ext1: log")


def sin(x):
    """Ext 1. Return the sine of `x`, an angle in radians. The operation is "sin".

    Its derivative is the cosine.

    >>> x = Value(0.0)
    >>> y = sin(x)
    >>> y.backward()
    >>> y.data, x.grad
    (0.0, 1.0)
    """
    raise NotImplementedError("ext1: sin")


def cos(x):
    """Ext 1. Return the cosine of `x`, an angle in radians. The operation is "cos".

    Mind the sign of the derivative.

    >>> x = Value(math.pi / 2)
    >>> y = cos(x)
    >>> y.backward()
    >>> round(x.grad, 4)
    -1.0
    """
    raise NotImplementedError("ext1: cos")


def sigmoid(x):
    """Ext 1. Return the logistic function of `x`, 1 / (1 + e**-x). The operation is "sigmoid".

    It squeezes any number into the range from 0 to 1. Its derivative is
    sigmoid(x) * (1 - sigmoid(x)), which is easy to compute once you have the result.

    The formula is fine on paper, but in Python `math.exp(800)` raises OverflowError, so
    sigmoid(-800) would too. The correct answer is very nearly 0. Both -800 and 800 must work,
    forwards and backwards. For positive x, e**-x is harmless. For negative x, you can write the
    same fraction as e**x / (1 + e**x).

    >>> x = Value(0.0)
    >>> y = sigmoid(x)
    >>> y.backward()
    >>> y.data, x.grad
    (0.5, 0.25)
    """
    raise NotImplementedError("ext1: sigmoid")
