"""Show by which formula a submission computed a wrong number, beside the right formula.

The worker says how; nothing that it says is believed before the judge's own arithmetic has made
the same number of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from grader.curriculum.model import Graph
from grader.judge import oracle
from grader.judge.diagnosis.algebra import Formula, Leaf, values_of, written
from grader.judge.diagnosis.differing import Part, differences
from grader.judge.diagnosis.evidence import Evidence
from grader.judge.diagnosis.replay import Alone
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.steps import Apply, Builtin, Call, Make, Put, Read, Step
from grader.worker.protocol import Ref

_OTHER = 1.0 + 1 / 128  # by which leaves change, to see whether two formulas are the same
_SEVERAL = 3  # sets of other leaves, by which parts of formulas are compared

Formulas = Callable[[Sequence[Step]], list[Formula]]
"""Tells how the numbers were computed that a script reads; nothing if the script fails."""


class Both(NamedTuple):
    """How two submissions compute: the learner's and the reference solution."""

    mine: Formulas
    right: Formulas


Parameters = Mapping[str, Sequence[str]]
"""The names that the course gives the parameters of its functions."""


class Compared(NamedTuple):
    """How a wrong number was computed and how it should be, and the line that differs, if known.

    If that line is not `made`, it uses a wrong number that may come from elsewhere. `lacks` is the
    function that the right formula begins with and that the code does not call.
    """

    why: str = ""
    line: int = 0
    made: bool = False
    lacks: str = ""


def comparison(evidence: Evidence, both: Both, words: Graph, parameters: Parameters) -> Compared:
    """Return how the number that is wrong was computed, and how it should be; nothing if unsure.

    For a wrong gradient, that is the number at which the backward pass begins, if it is wrong.
    """
    if evidence.failed is None or evidence.form != "number" or evidence.fault is not None:
        return Compared()
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
        chance = f"`{name}.{words.data}` is right only by chance: " if name else ""
        here = values_of(pairs[0][0], leaves.numbers)[-1]
        apart = leaves.differences(*pairs[0], here, here)
        return _compared(f"{chance}{found}", apart)
    if not pairs:
        return Compared()
    numbers = (evidence.got, evidence.expected)
    apart = leaves.differences(*pairs[-1], *numbers)
    if any(_is_counted(*parts, leaves) for parts in apart):
        return Compared()
    shorter = (_in_part(*parts, leaves) for parts in apart)
    why = _sentence(*pairs[-1], leaves, *numbers) or next(filter(None, shorter), "")
    return _compared(why, apart)._replace(lacks=_lacking(*pairs[-1]) if apart else "")


def _compared(why: str, apart: Sequence[tuple[Part, Part]]) -> Compared:
    """Return a sentence with the line of the smallest part that differs."""
    return Compared(why, apart[-1][0].line, apart[-1][0].made) if apart else Compared(why)


def _lacking(mine: Formula, right: Formula) -> str:
    """Return the function that the right formula begins with, if the other one has none of it."""
    op = right[-1].op
    return op if op in FUNCTIONS and all(term.op != op for term in mine) else ""


def is_whole(sentence: str) -> bool:
    """Return whether a sentence has the whole formula, which says more than a likely mistake."""
    return _BEGINS in sentence


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


def _is_counted(mine: Part, right: Part, leaves: Leaves) -> bool:
    """Return whether only a power differs, which the code may have counted."""
    yours, wanted = leaves.written(mine.formula, right.formula, constants=True)
    plain = [re.sub(r" \*\* \d+(\.0)?", "", text) for text in (yours, wanted)]
    return yours != wanted and plain[0] == plain[1]


def _in_part(mine: Part, right: Part, leaves: Leaves) -> str:
    """Return the part of a formula that is too long for a sentence, and how it should be."""
    yours, wanted = leaves.written(mine.formula, right.formula, constants=True)
    if (bool(yours), bool(wanted)) != (bool(mine.formula), bool(right.formula)):
        return ""
    if yours == wanted:  # the same names for different numbers
        return ""
    if not yours or not wanted:
        which = f"`{yours}` is too much" if yours else f"`{wanted}` is missing"
        return f"in the formula that your code computes here, {which}"
    return f"in one part of its formula, your code computes `{yours}`; it should be `{wanted}`"


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
        self.elsewhere = {  # a whole number may be a size or an exponent
            leaf: number * _OTHER if type(number) is float else number
            for leaf, number in self.numbers.items()
        }

    def give(self, formula: Formula, number: Any) -> bool:
        """Return whether a formula gives this number."""
        values = values_of(formula, self.numbers)
        return bool(values) and type(number) in {int, float} and oracle.close(values[-1], number)

    def differences(
        self, mine: Formula, right: Formula, got: Any, expected: Any
    ) -> list[tuple[Part, Part]]:
        """Return the parts that differ, if the formulas give these numbers."""
        if not self.give(mine, got) or not self.give(right, expected):
            return []
        others = [
            {
                leaf: number * (1 + (7 * place + 3 * turn) % 11 / 64)
                if type(number) is float
                else number
                for place, (leaf, number) in enumerate(self.numbers.items())
            }
            for turn in range(1, 1 + _SEVERAL)
        ]
        return differences(mine, right, [self.numbers, *others])

    def written(self, *formulas: Formula, constants: bool = False) -> list[str]:
        """Return the texts of formulas. See `written`."""
        used = {
            (term.places[0], term.places[1])
            for formula in formulas
            for term in formula
            if term.op == "leaf"
        }
        names = self._names(used & self._found.keys())
        return [
            written(each, names, self.numbers, self._gradient, constants=constants)[0]
            for each in formulas
        ]

    def _names(self, used: AbstractSet[Leaf]) -> dict[Leaf, str]:
        """Return names that are as short as they can be without meaning two numbers.

        Numbers that even the whole name means are counted: `p.grad_1`, `p.grad_2`.
        """
        full = {leaf: self._found[leaf][0] for leaf in used}
        whole = {*full.values()}
        endings = Counter(ending for name in whole for ending in _endings(name, self._gradient))
        short = {
            name: next((e for e in _endings(name, self._gradient) if endings[e] == 1), "")
            for name in whole
        }
        meant = Counter(name for name, _ in {self._found[leaf] for leaf in used})
        return {
            leaf: f"{short[name]}_{self._counted(leaf)}"
            if meant[name] > 1 and name
            else short[name]
            for leaf, name in full.items()
        }

    def _counted(self, leaf: Leaf) -> int:
        """Return how many numbers of the script have had the name of a leaf when it is set."""
        name = self._found[leaf][0]
        return sum(each <= leaf and full == name for each, (full, _) in self._found.items())


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
