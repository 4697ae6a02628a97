"""Compute formulas that a worker sent, and write them as short as they can be."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import NamedTuple

from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.paper import number_text
from grader.worker.bounds import FORMULA_CALLS
from grader.worker.protocol import Term

LONGEST = 84  # characters of a formula that is read at a glance
_SHORTEST = 1e-9  # what may be lost of a constant when it is shown

Leaf = tuple[int, int]
"""The place of a number in a script: of its step, and of the number in that."""
Formula = list[Term]

_COMPUTE: dict[str, Callable[..., float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "neg": operator.neg,
    "abs": abs,
    **dict.fromkeys(("data", "gradient"), lambda _node, inner: inner),
    **{name: getattr(math, name) for name in FORMULA_CALLS if hasattr(math, name)},
    **{name: function.value for name, function in FUNCTIONS.items()},
}


def values_of(formula: Formula, leaves: Mapping[Leaf, float]) -> list[float]:
    """Return the value of every term; none if one has none."""
    found: list[float] = []
    try:
        for op, places, number, _ in formula:
            if op == "leaf":
                if (value := leaves.get((places[0], places[1]))) is None:
                    return []
                found.append(float(value))
            elif op == "number":
                found.append(float(number))  # a power of whole numbers could take for ever
            else:
                found.append(float(_COMPUTE[op](*[found[place] for place in places])))
    except (ArithmeticError, ValueError, TypeError):
        return []
    return found if all(map(math.isfinite, found)) else []


# --- how a formula is written ---

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


class _Part(NamedTuple):
    """A part of a formula, and how tightly it binds. `number`: it is a constant."""

    text: str
    binds: int = _ATOM
    number: float | None = None
    negated: _Part | None = None  # of which it is the negative
    inverted: _Part | None = None  # of which it is the reciprocal

    def within(self, binds: int) -> str:
        """Return its text as an operand, in parentheses if necessary."""
        return self.text if self.binds >= binds else f"({self.text})"


def written(
    formula: Formula,
    names: Mapping[Leaf, str],
    leaves: Mapping[Leaf, float],
    gradient: str,
    *,
    constants: bool = False,
) -> tuple[str, float]:
    """Return a formula without what changes nothing, and its value here.

    The text is empty if it is long, or if no name is in it and `constants` are not wanted.
    """
    values = values_of(formula, leaves)
    if not values:
        return "", math.nan
    parts: list[_Part] = []
    for (op, places, *_), value in zip(formula, values):
        if op == "leaf":
            leaf = places[0], places[1]
            is_zero = leaves[leaf] == 0 and type(leaves[leaf]) is int  # such as the first step
            parts.append(_constant(value) if is_zero or not names[leaf] else _Part(names[leaf]))
            continue
        operands = [parts[place] for place in places]
        if op in {"data", "gradient"}:
            node, inner = operands
            named = _Part(f"{node.text}.{gradient}") if op == "gradient" else node
            made = named if node.number is None else inner
        elif all(part.number is not None for part in operands):
            made = _constant(value)
        else:
            made = _WRITE[op](*operands) if op in _WRITE else _Part(f"{op}({operands[0].text})")
        parts.append(made if len(made.text) <= LONGEST else _TOO_LONG)
    last = parts[-1]
    is_shown = (constants or last.number is None) and len(last.text) <= LONGEST
    return last.text if is_shown else "", values[-1]


_SHARES = range(2, 10)
_TOO_LONG = _Part("…" * (LONGEST + 1))


def _constant(number: float) -> _Part:
    text = number_text(number)
    if abs(float(text) - number) > _SHORTEST * abs(number):
        text = _TOO_LONG.text
    return _Part(text, _ATOM if number >= 0 else _PRODUCT, number)


def _plus(one: _Part, other: _Part) -> _Part:
    if one.number == 0 or other.number == 0:
        return other if one.number == 0 else one
    if other.negated or (other.number or 0) < 0:
        return _minus(one, _negative(other))
    if one.negated:
        return _minus(other, one.negated)
    return _Part(f"{one.text} + {other.text}", _SUM)


def _minus(one: _Part, other: _Part) -> _Part:
    if one.number == 0 or other.number == 0:
        return _negative(other) if one.number == 0 else one
    if other.negated or (other.number or 0) < 0:
        return _plus(one, _negative(other))
    return _Part(f"{one.text} - {other.within(_PRODUCT)}", _SUM)


def _negative(part: _Part) -> _Part:
    if part.number is not None:
        return _constant(-part.number)
    return part.negated or _Part(f"-{part.within(_PRODUCT)}", _PRODUCT, negated=part)


def _times(one: _Part, other: _Part) -> _Part:
    for share in _SHARES:  # `/ 2` may be written as a product with `2 ** -1`
        if other.number == 1 / share:
            return _over(one, _constant(share))
    for factor, rest in ((one, other), (other, one)):
        if factor.number == 0:
            return factor
        if factor.number in {1, -1}:
            return rest if factor.number == 1 else _negative(rest)
        if factor.inverted:
            return _over(rest, factor.inverted)
    if one.negated:
        return _negative(_times(one.negated, other))
    if other.negated:
        return _negative(_times(one, other.negated))
    return _Part(f"{one.within(_PRODUCT)} * {other.within(_PRODUCT)}", _PRODUCT)


def _over(one: _Part, other: _Part) -> _Part:
    if one.number == 0 or other.number == 1:
        return one
    if other.number == -1 or one.negated:
        return _negative(one if other.number == -1 else _over(one.negated or one, other))
    if other.negated:
        return _negative(_over(one, other.negated))
    if other.inverted:
        return _times(one, other.inverted)
    inverted = other if one.number == 1 else None
    text = f"{one.within(_PRODUCT)} / {other.within(_POWER)}"
    return _Part(text, _PRODUCT, inverted=inverted)


def _power(one: _Part, other: _Part) -> _Part:
    if other.number == 0:
        return _constant(1)
    if other.number == 1:
        return one
    if (other.number or 0) < 0:
        return _over(_constant(1), _power(one, _negative(other)))
    return _Part(f"{one.within(_ATOM)} ** {other.within(_ATOM)}", _POWER)


_WRITE: dict[str, Callable[..., _Part]] = {
    "+": _plus,
    "-": _minus,
    "*": _times,
    "/": _over,
    "**": _power,
    "neg": _negative,
    **{
        op: lambda one, other, op=op: _Part(
            f"{one.within(_PRODUCT)} {op} {other.within(_POWER)}", _SUM
        )
        for op in ("//", "%")
    },
}
