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
    """A function of one number: its value, its derivative, and its value by the module mpmath."""

    value: Callable[[float], float]
    slope: Callable[[float], float]
    exact: Callable[[Any, Any], Any]


def _relu(x: Any) -> Any:
    return x if x > 0 else x - x


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


FUNCTIONS: dict[str, Function] = {
    "exp": Function(math.exp, math.exp, lambda mp, x: mp.exp(x)),
    "log": Function(math.log, lambda x: 1 / x, lambda mp, x: mp.log(x)),
    "sin": Function(math.sin, math.cos, lambda mp, x: mp.sin(x)),
    "cos": Function(math.cos, lambda x: -math.sin(x), lambda mp, x: mp.cos(x)),
    "tanh": Function(math.tanh, lambda x: 1 - math.tanh(x) ** 2, lambda mp, x: mp.tanh(x)),
    "relu": Function(_relu, lambda x: 1.0 if x > 0 else 0.0, lambda _, x: _relu(x)),
    "sigmoid": Function(
        _sigmoid, lambda x: _sigmoid(x) * _sigmoid(-x), lambda mp, x: 1 / (1 + mp.exp(-x))
    ),
}


def apply_function(name: str, x: Any) -> Any:
    """Apply the function in its argument's arithmetic."""
    function = FUNCTIONS[name]
    if isinstance(x, Dual):
        return Dual(function.value(x.value), function.slope(x.value) * x.slope)
    if isinstance(x, (float, int)):
        return function.value(x)
    import mpmath

    return function.exact(mpmath, x)
