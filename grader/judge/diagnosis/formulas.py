"""Name the formula that a wrong local derivative follows, and the right one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import NamedTuple

from grader.judge.oracle import close
from grader.judge.oracle.functions import FUNCTIONS


class Sample(NamedTuple):
    """A share that an operand got: the numbers it can depend on, its derivative, the gradient."""

    numbers: Mapping[str, float]
    slope: float
    upstream: float
    share: float


# a: the operand that gets the share, on whichever side; b: the other one; c: the result;
# n: the exponent, m: n - 1; p and q: the gradients of a and b. The right derivative comes first.
_DERIVATIVES = {
    "+": ("1", "-1", "a", "b", "c", "0.5"),
    "- left": ("1", "-1", "a", "b", "c"),
    "- right": ("-1", "1", "-a", "-b", "a", "b", "-c"),
    "*": ("b", "a", "c", "1", "a + b", "b ** 2", "a ** 2", "1 / b", "q", "a * q"),
    "/ left": ("1 / b", "b", "1", "a", "c", "1 / a", "1 / b ** 2", "-1 / b ** 2", "a / b ** 2"),
    "/ right": (
        "-b / a ** 2",
        *("b / a ** 2", "-b / a", "b / a", "-1 / a ** 2", "1 / a ** 2", "-1 / a", "1 / a", "b"),
        *("-b", "-a / b ** 2", "-b * a ** 2", "-b / (2 * a)", "-b / a ** 3", "-(b ** 2) / a"),
    ),
    "neg": ("-1", "1", "a", "-a"),
    "**": (
        "n * a ** m",
        *("a ** m", "n * a ** n", "m * a ** m", "m * a ** n", "n * a ** n - 1", "a ** n"),
        *("n * a", "n", "m * a", "n * a ** (n + 1)", "n * a ** (n - 2)", "m * a ** (n - 2)"),
        *("a ** n * log(a)", "n ** m", "n * a - 1", "n * m * a ** (n - 2)", "a * n ** m", "1"),
        *("a ** n / n", "a ** (n + 1) / (n + 1)", "2 * a", "n + a ** m", "a"),
    ),
    "tanh": (
        "1 - tanh(a) ** 2",
        *("1 - a ** 2", "1 - tanh(a)", "tanh(a)", "1 - tanh(tanh(a)) ** 2", "tanh(a) ** 2"),
        *("1 / cosh(a)", "1 + tanh(a) ** 2", "(1 - tanh(a)) ** 2", "1 - 2 * tanh(a)", "1", "a"),
        *("tanh(a) * (1 - tanh(a))", "1 / (1 + a ** 2)", "1 - tanh(a ** 2)", "1 - a", "cosh(a)"),
        *("1 - tanh(a) ** 3", "-2 * tanh(a)", "2 * tanh(a)", "sinh(a)", "1 / tanh(a)"),
    ),
    "relu": ("1 if a > 0 else 0", "1", "a", "1 if a < 0 else 0", "a if a > 0 else 0"),
    "exp": (
        "exp(a)",
        *("a", "1", "a * exp(a)", "a * exp(a - 1)", "exp(exp(a))", "exp(a - 1)", "exp(-a)"),
        *("exp(a) ** 2", "1 / a", "log(a)", "exp(a) - 1", "1 / exp(a)", "a ** 2"),
    ),
    "log": ("1 / a", "log(a)", "1 / log(a)", "a", "1", "1 / a ** 2", "exp(a)", "log(a) / a"),
    "sin": ("cos(a)", "sin(a)", "cos(sin(a))", "1 - sin(a) ** 2", "-sin(a)", "1", "a"),
    "cos": ("-sin(a)", "sin(a)", "cos(a)", "-sin(cos(a))", "-cos(a)", "sin(cos(a))", "1", "a"),
    "sigmoid": (
        "sigmoid(a) * (1 - sigmoid(a))",
        *("a * (1 - a)", "sigmoid(a)", "1 - sigmoid(a)", "sigmoid(a) * (1 + sigmoid(a))"),
        *("1 - sigmoid(a) ** 2", "sigmoid(a) ** 2", "1", "a", "1 - a", "sigmoid(a) * (1 - a)"),
        *("sigmoid(sigmoid(a)) * (1 - sigmoid(sigmoid(a)))", "exp(-a)", "a * sigmoid(a)"),
    ),
}
_ONLY_MATH = {
    "__builtins__": {},
    **{name: getattr(math, name) for name in ("exp", "log", "sin", "cos", "tanh", "sinh", "cosh")},
    "sigmoid": FUNCTIONS["sigmoid"].value,
}


def _with_number(one: Sample) -> float:
    return one.slope * one.numbers["c"]


_COMPILED: dict[str, CodeType] = {}
_WAYS: tuple[tuple[str, Callable[[Sample], float]], ...] = (
    ("the right size but the wrong sign", lambda one: -one.slope * one.upstream),
    ("the derivative times the result's number, not its gradient", _with_number),
    ("the derivative times the gradient twice", lambda one: one.slope * one.upstream**2),
    ("twice its share", lambda one: 2 * one.slope * one.upstream),
    ("half its share", lambda one: one.slope * one.upstream / 2),
    ("the derivative plus the gradient, not times it", lambda one: one.slope + one.upstream),
    ("the gradient divided by the derivative", lambda one: one.upstream / one.slope),
    ("the derivative divided by the gradient", lambda one: one.slope / one.upstream),
    ("the gradient alone, without the derivative", lambda one: one.upstream),
)


def followed(
    operator: str, place: int, samples: Sequence[Sample], names: Mapping[str, str]
) -> tuple[str, str]:
    """Return the formula that gives every share in the samples, and the right derivative.

    The formula completes "the operand gets 3.0, ...". Both have the `names` of the operands. They
    are empty if no formula fits, or if the operation is not known.
    """
    side = "left" if place == 0 else "right"
    known = _DERIVATIVES.get(f"{operator} {side}", _DERIVATIVES.get(operator, ()))
    if not known or not samples:
        return "", ""
    right = _named(known[0], names)
    for text in known[1:]:
        if _fits(samples, lambda one, text=text: _value(text, one) * one.upstream):  # type: ignore[misc]
            return f"as if the derivative were `{_named(text, names)}`", right
    return next((text for text, share in _WAYS if _fits(samples, share)), ""), right


def _fits(samples: Sequence[Sample], share: Callable[[Sample], float]) -> bool:
    try:
        return all(close(one.share, share(one)) for one in samples)
    except (ArithmeticError, ValueError, TypeError, NameError):
        return False


def _value(text: str, one: Sample) -> float:
    if text not in _COMPILED:
        _COMPILED[text] = compile(text, "<formula>", "eval")
    # only the texts above are ever evaluated
    return float(eval(_COMPILED[text], _ONLY_MATH, dict(one.numbers)))  # noqa: S307


def _named(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\b[abcmnpq]\b", lambda found: names.get(found[0], found[0]), text)
