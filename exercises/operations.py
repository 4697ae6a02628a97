"""More operations for your engine, as functions: `log(x)`, `sin(x)`, `cos(x)`, `sigmoid(x)`.

An operation need not be a method of the class. Whoever makes a `Value`, says what it was made of, and gives it a
`_backward`, has added one to the engine; `backward()` never knows the difference. Each of these is what `tanh` was:

- compute the number, and make a new Value with it, whose child is `x`;
- give it a `_backward` that adds (local derivative) * (its own gradient) to `x.grad`, with `+=`.

    grade ext1

`x` is a Value here. What you give back is a new one; `x` keeps its number, its gradient and its children.
"""

import math

from engine import Value

# --- Ext 1: more operations -----------------------------------------------------------------------------------------------


def log(x):
    """Ext 1. The natural logarithm. The operation is "log".

    d log(x)/dx is 1/x. There is no logarithm of 0 or of a negative number: `math.log` raises a ValueError. Let it. A
    small number added to be safe, or a clamp, would be a wrong number that nobody notices.

    >>> x = Value(4.0)
    >>> y = log(x)
    >>> y.backward()
    >>> round(y.data, 4), x.grad
    (1.3863, 0.25)
    """
    raise NotImplementedError("ext1: log")


def sin(x):
    """Ext 1. The sine of `x`, an angle in radians. The operation is "sin". Its derivative is the cosine.

    >>> x = Value(0.0)
    >>> y = sin(x)
    >>> y.backward()
    >>> y.data, x.grad
    (0.0, 1.0)
    """
    raise NotImplementedError("ext1: sin")


def cos(x):
    """Ext 1. The cosine of `x`, an angle in radians. The operation is "cos". Mind the sign of the derivative.

    >>> x = Value(math.pi / 2)
    >>> y = cos(x)
    >>> y.backward()
    >>> round(x.grad, 4)
    -1.0
    """
    raise NotImplementedError("ext1: cos")


def sigmoid(x):
    """Ext 1. The logistic function 1 / (1 + e**-x): squeezes any number into the range from 0 to 1. The operation is "sigmoid".

    Its derivative is sigmoid(x) * (1 - sigmoid(x)), which is at hand once you have the result.

    The formula is fine on paper, but in Python `math.exp(800)` is an OverflowError, and so sigmoid(-800) would be one.
    The right answer is very nearly 0. Both -800 and 800 must work, forwards and backwards. e**-x is harmless for
    positive x; and for negative x the same fraction can be written as e**x / (1 + e**x).

    >>> x = Value(0.0)
    >>> y = sigmoid(x)
    >>> y.backward()
    >>> y.data, x.grad
    (0.5, 0.25)
    """
    raise NotImplementedError("ext1: sigmoid")
