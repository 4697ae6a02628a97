"""Show by which formula a submission computed a wrong number, beside the right formula.

The worker says how; nothing that it says is believed before the judge's own arithmetic has made
the same number of it.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from grader.curriculum.model import Graph
from grader.judge import oracle
from grader.judge.diagnosis.evidence import Evidence
from grader.judge.diagnosis.replay import Alone
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.paper import number_text
from grader.judge.script.steps import Apply, Builtin, Call, Make, Put, Read, Step
from grader.worker.protocol import Ref, Term

LONGEST = 72  # characters of a formula that is read at a glance
_SHORTEST = 1e-9  # what may be lost of a constant when it is shown
_OTHER = 1.0 + 1 / 128  # by which leaves change, to see whether two formulas are the same

Leaf = tuple[int, int]
Formula = list[Term]
Formulas = Callable[[Sequence[Step]], list[Formula]]
"""Tells how the numbers were computed that a script reads; nothing if the script fails."""


class Both(NamedTuple):
    """How two submissions compute: the learner's and the reference solution."""

    mine: Formulas
    right: Formulas


Parameters = Mapping[str, Sequence[str]]
"""The names that the course gives the parameters of its functions."""

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
    "gradient": lambda _, inner: inner,
    **{name: getattr(math, name) for name in ("sqrt", "sinh", "cosh")},
    **{name: function.value for name, function in FUNCTIONS.items()},
}


def comparison(evidence: Evidence, both: Both, words: Graph, parameters: Parameters) -> str:
    """Return how the number that is wrong was computed, and how it should be; nothing if unsure.

    For a wrong gradient, that is the number at which the backward pass begins, if it is wrong.
    """
    if evidence.failed is None or evidence.form != "number" or evidence.fault is not None:
        return ""
    steps = [step for step in evidence.steps if not isinstance(step, Read)]
    begins = [s.on for s in steps if isinstance(s, Call) and s.method == words.backward]
    readings = [(ref, words.data) for ref in begins[-1:]]
    readings = [*(each for each in readings if each != evidence.failed), evidence.failed]
    asked = [*steps, *(Read(ref, path, "number") for ref, path in readings)]
    told, wanted = both.mine(asked), both.right(asked)
    pairs = [*zip(told, wanted or [[]] * len(told))]
    leaves = Leaves(steps, evidence.names, words, parameters)
    if len(pairs) > 1 and (found := _by_chance(*pairs[0], leaves)):
        name = evidence.names.get(readings[0][0], "")
        return f"`{name}.{words.data}` is right only by chance: {found}" if name else found
    return _sentence(*pairs[-1], leaves, evidence.got, evidence.expected) if pairs else ""


def of_operation(alone: Alone, leaf: Ref | None, both: Both, got: Any) -> str:
    """Return how one operation computed its value, or the gradient of an operand and how that
    should be.
    """
    circuit, words = alone.circuit, alone.circuit.words
    names = {each: circuit.label(operand) for each, operand in alone.leaves.items()}
    if not all(map(str.isidentifier, names.values())):
        return ""
    steps: list[Step] = [*alone.steps, *alone.held(), alone.operation]
    leaves = Leaves([*steps, *alone.backward()], {**names, alone.result: "out"}, words, {})
    if leaf is None:
        told = both.mine([*steps, Read(alone.result, words.data, "number")])
        return _sentence(told[0], [], leaves, got, None) if told else ""
    steps += [*alone.backward(), Read(leaf, words.gradient, "number")]
    told, wanted = both.mine(steps), both.right(steps)
    right = alone.before[leaf] + alone.upstream * alone.slopes[leaf]
    begins = f"your code sets `{names[leaf]}.{words.gradient}` to"
    right_is = wanted[0] if wanted else []
    return _sentence(told[0], right_is, leaves, got, right, begins) if told else ""


def _by_chance(mine: Formula, right: Formula, leaves: Leaves) -> str:
    """Compare the formulas of a number that is right here, but not elsewhere."""
    here, there = (
        [values_of(formula, numbers)[-1:] for formula in (mine, right)]
        for numbers in (leaves.numbers, leaves.elsewhere)
    )
    if not all((*here, *there)) or not oracle.close(here[0][0], here[1][0]):
        return ""
    if oracle.close(there[0][0], there[1][0]):
        return ""
    return _sentence(mine, right, leaves, here[0][0], here[0][0])


_BEGINS = "here your code computes"


def _sentence(  # noqa: PLR0913, PLR0917 - two formulas, and the numbers that they must give
    mine: Formula, right: Formula, leaves: Leaves, got: Any, expected: Any, begins: str = _BEGINS
) -> str:
    """Return two formulas, if they give these numbers; the right one may be missing."""
    if not leaves.give(mine, got):
        return ""
    yours, wanted = leaves.written(mine, right if leaves.give(right, expected) else [])
    if not yours or yours == wanted or (not wanted and len(mine) == 1):
        return ""
    told = f"{begins} `{yours}`"
    return f"{told}; it should be `{wanted}`" if wanted else told


# --- what a formula gives ---


def values_of(formula: Formula, leaves: Mapping[Leaf, float]) -> list[float]:
    """Return the value of every term; none if one has none."""
    found: list[float] = []
    try:
        for op, places, number in formula:
            if op == "leaf":
                found.append(float(leaves[places[0], places[1]]))
            elif op == "number":
                found.append(float(number))  # a power of whole numbers could take for ever
            else:
                found.append(float(_COMPUTE[op](*[found[place] for place in places])))
    except (ArithmeticError, ValueError, TypeError, KeyError):
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
    formula: Formula, names: Mapping[Leaf, str], leaves: Mapping[Leaf, float], gradient: str
) -> tuple[str, float]:
    """Return a formula without what changes nothing, and its value here.

    The text is empty if it is long, or if no name is in it.
    """
    values = values_of(formula, leaves)
    if not values:
        return "", math.nan
    parts: list[_Part] = []
    for (op, places, _), value in zip(formula, values):
        if op == "leaf":
            name = names[places[0], places[1]]
            parts.append(_Part(name) if name else _constant(value))
            continue
        operands = [parts[place] for place in places]
        if op == "gradient" and operands[0].number is None:
            made = _Part(f"{operands[0].text}.{gradient}")
        elif all(part.number is not None for part in operands):
            made = _constant(value)
        else:
            made = _WRITE[op](*operands) if op in _WRITE else _Part(f"{op}({operands[0].text})")
        parts.append(made if len(made.text) <= LONGEST else _TOO_LONG)
    last = parts[-1]
    is_shown = last.number is None and len(last.text) <= LONGEST
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
        if factor.number in {1, -1}:
            return rest if factor.number == 1 else _negative(rest)
        if factor.negated:
            return _negative(_times(*[factor.negated if f is factor else f for f in (one, other)]))
        if factor.inverted:
            return _over(rest, factor.inverted)
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


# --- the names of the numbers in a script ---


class Leaves:
    """The numbers in the steps of a script: their names and values."""

    def __init__(
        self, steps: Sequence[Step], names: Mapping[Ref, str], words: Graph, parameters: Parameters
    ) -> None:
        self._gradient = words.gradient
        self._found = {
            (index, place): named
            for index, step in enumerate(steps)
            for place, named in enumerate(_numbers(step, steps, names, words, parameters))
        }
        self.numbers = {leaf: number for leaf, (_, number) in self._found.items()}
        self.elsewhere = {leaf: number * _OTHER for leaf, number in self.numbers.items()}

    def give(self, formula: Formula, number: Any) -> bool:
        """Return whether a formula gives this number."""
        values = values_of(formula, self.numbers)
        return bool(values) and type(number) in {int, float} and oracle.close(values[-1], number)

    def written(self, *formulas: Formula) -> list[str]:
        """Return the texts of formulas. See `written`."""
        used = {
            (term.places[0], term.places[1])
            for formula in formulas
            for term in formula
            if term.op == "leaf"
        }
        names = self._names(used & self._found.keys())
        return [written(each, names, self.numbers, self._gradient)[0] for each in formulas]

    def _names(self, used: AbstractSet[Leaf]) -> dict[Leaf, str]:
        """Return names that are as short as they can be without meaning two numbers; where even
        the whole name does, none.
        """
        found = {leaf: self._found[leaf] for leaf in used}
        endings = Counter(
            ending for full, _ in {*found.values()} for ending in _endings(full, self._gradient)
        )
        return {
            leaf: next((e for e in _endings(full, self._gradient) if endings[e] == 1), "")
            for leaf, (full, _) in found.items()
        }


def _endings(name: str, gradient: str) -> list[str]:
    """Return a name such as `layers[0].w[1]` without what it begins with, the shortest first."""
    parts = name.split(".") if name else []
    least = 1 + (parts[-1:] == [gradient])
    return [".".join(parts[-count:]) for count in range(min(least, len(parts)), len(parts) + 1)]


def _numbers(
    step: Step,
    steps: Sequence[Step],
    names: Mapping[Ref, str],
    words: Graph,
    parameters: Parameters,
) -> Iterator[tuple[str, float]]:
    """Yield the numbers in a step with their names, in the order in which the worker counts."""
    if isinstance(step, Put):
        path = f"{names.get(step.on, '')}.{step.attribute}".removesuffix(f".{words.data}")
        yield from _inside(step.value, path.lstrip("."))
        return
    if not isinstance(step, (Make, Call, Builtin, Apply)):
        return
    called: Sequence[str] = ()
    if isinstance(step, Make):
        name = step.function.rpartition(".")[2]
        called = parameters.get(name) or parameters.get(f"{name}.__init__", ())
        called = [names.get(step.target, "")] if name == words.node else called
    elif isinstance(step, Call):
        made = (s.function for s in steps if isinstance(s, Make) and s.target == step.on)
        called = parameters.get(f"{next(made, '').rpartition('.')[2]}.{step.method}", ())
    for place, arg in enumerate(step.args):
        yield from _inside(arg, called[place] if place < len(called) else "")
    for word, value in step.named if isinstance(step, (Make, Call)) else ():
        yield from _inside(value, str(word))


def _inside(value: Any, name: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, (list, tuple)):
        for place, item in enumerate(value):
            yield from _inside(item, f"{name}[{place}]" if name else "")
    elif type(value) in {int, float}:
        yield name, value
