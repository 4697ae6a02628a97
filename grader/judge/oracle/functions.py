"""Define the elementary functions that a script may call, for floats, dual numbers and mpmath.

`slope` is the derivative, written independently of any engine and compared with finite differences
of `exact`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from grader.judge.oracle.dual import Dual


class Function(NamedTuple):
    """A function of one number: its value, its derivative, and its mpmath name or replacement."""

    value: Callable[[float], float]
    slope: Callable[[float], float]
    exact: str | Callable[[Any], Any]


def _relu(x: Any) -> Any:
    return x if x > 0 else x - x


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _exact_sigmoid(x: Any) -> Any:
    import mpmath

    return 1 / (1 + mpmath.exp(-x))


FUNCTIONS: dict[str, Function] = {
    "exp": Function(math.exp, math.exp, "exp"),
    "log": Function(math.log, lambda x: 1 / x, "log"),
    "sin": Function(math.sin, math.cos, "sin"),
    "cos": Function(math.cos, lambda x: -math.sin(x), "cos"),
    "tanh": Function(math.tanh, lambda x: 1 - math.tanh(x) ** 2, "tanh"),
    "relu": Function(_relu, lambda x: 1.0 if x > 0 else 0.0, _relu),
    "sigmoid": Function(_sigmoid, lambda x: _sigmoid(x) * _sigmoid(-x), _exact_sigmoid),
}


def apply_function(name: str, x: Any) -> Any:
    """Apply the function in its argument's arithmetic."""
    function = FUNCTIONS[name]
    if isinstance(x, Dual):
        return Dual(function.value(x.value), function.slope(x.value) * x.slope)
    if isinstance(x, (float, int)):
        return function.value(x)
    if callable(function.exact):
        return function.exact(x)
    import mpmath

    return getattr(mpmath, function.exact)(x)
