"""Find out more about a wrong operation: the formula that it follows, and the learner's line.

A line shows itself when one number that it needs is taken away: without the gradient of an operand,
the line that adds to it raises; without the operand's number, the line that uses it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from grader.judge.diagnosis.evidence import Run
from grader.judge.diagnosis.formulas import Sample, followed
from grader.judge.diagnosis.replay import BOTH_SHARES, OVERWRITES, Alone, Finding
from grader.judge.script.steps import Apply, Call, Make, Put, Step, Walk
from grader.model import Frame, Kind
from grader.worker.protocol import Ref

_NUMBERS = ((0.7, 1.9), (1.3, 0.6), (1.6, 2.3))
_ALSO_NEGATIVE = ((0.7,), (-0.8,), (1.6,))
_EXPONENTS = (4, 5)
_OTHERS = ("+", "*", "**")
_FORMULA, _NOTHING = "; it should get ", " sends nothing to "
NO_STEP = "the result has no step of its own, or one that does nothing"
_IN_ANY_STEP = (OVERWRITES, " ignores ", " multiplies by ", BOTH_SHARES)


def _slots(step: Step) -> list[Any]:
    """Return the operands of an operator or a function."""
    if isinstance(step, (Apply, Make)):
        return list(step.args)
    return [step.on] if isinstance(step, Call) else []


def _samples(alone: Alone, leaf: Ref, run: Run) -> Iterator[Sample]:
    """Yield the shares of an operand for several numbers; nothing if one is not a number, or if
    the exponent of a power is a node: no formula covers it.
    """
    found: list[Sample] = []
    is_power = isinstance(alone.step, Apply) and alone.step.op == "**"
    if is_power and isinstance(_slots(alone.step)[1], Ref):
        return
    many = _ALSO_NEGATIVE if getattr(alone.step, "method", "") == "relu" else _NUMBERS
    for index, numbers in enumerate(many):
        step = alone.step
        if isinstance(step, Apply) and is_power and index:
            step = replace(step, args=[step.args[0], _EXPONENTS[index - 1]])
        one = Alone(alone.circuit, step, shared=False, numbers=numbers[: len(alone.leaves)])
        share = one.share(leaf, run)
        if share is None:
            return
        slots = [
            one.numbers[list(one.leaves).index(slot)] if isinstance(slot, Ref) else slot
            for slot in _slots(one.operation)
        ]
        place = _slots(one.operation).index(leaf)
        values = {"a": slots[place], "c": one.value, "p": one.before[leaf]}
        others = [other for index, other in enumerate(slots) if index != place]
        if is_power:
            values |= {"n": others[0], "m": others[0] - 1}
        elif others:
            values["b"] = others[0]
            values["q"] = next((one.before[other] for other in one.leaves if other != leaf), 0.0)
        found.append(Sample(values, one.slopes[leaf], one.upstream, share))
    yield from found


def _names(alone: Alone, leaf: Ref) -> dict[str, str]:
    """Return how the letters of a formula are called in the learner's listing."""
    circuit, gradient = alone.circuit, alone.circuit.words.gradient
    slots = _slots(alone.operation)
    shown = [
        _grouped(circuit.label(alone.leaves[slot])) if slot in alone.leaves else repr(slot)
        for slot in slots
    ]
    place = slots.index(leaf)
    names = {"a": shown[place], "p": f"{shown[place]}.{gradient}", "c": f"({alone.label()})"}
    if len(slots) > 1:
        other = shown[1 - place]
        names |= {"b": other, "q": f"{other}.{gradient}", "n": other}
        number = slots[1 - place]
        names["m"] = repr(number - 1) if isinstance(number, (int, float)) else f"({other} - 1)"
    return names


def _grouped(label: str) -> str:
    return label if label.replace(".", "").isalnum() else f"({label})"


class Look:
    """A closer look at one operation that is wrong alone."""

    def __init__(self, finding: Finding, run: Run) -> None:
        self.finding, self._alone, self._run = finding, finding.alone, run
        self._words = finding.alone.circuit.words

    def why(self) -> str:
        """Return the finding's sentence, with the formula that a wrong share follows, if any."""
        finding, alone, leaf = self.finding, self._alone, self.finding.leaf
        if leaf is None:
            return finding.why
        if self.none_runs:
            return f"{finding.why}; {NO_STEP}"
        slots = _slots(alone.operation)
        if slots.count(leaf) > 1:
            name = alone.circuit.label(alone.leaves[leaf])
            told = f"{finding.why}. With two different operands it is right"
            return f"{told}: each use of `{name}` must add its own share"
        if leaf not in slots or _FORMULA not in finding.why:
            return finding.why
        share, samples = alone.share(leaf, self._run), list(_samples(alone, leaf, self._run))
        if share is None:
            return finding.why
        operator = getattr(alone.operation, "op", finding.blame)
        formula, right = followed(operator, slots.index(leaf), samples, _names(alone, leaf))
        if not formula:
            return f"{finding.why}, because the derivative is `{right}`" if right else finding.why
        it = "it" if formula.startswith("as if") else "the derivative"
        return f"{alone.arrives(leaf, share)}, {formula}; {it} is `{right}`"

    @cached_property
    def none_runs(self) -> bool:
        """Whether an operand gets nothing because no line of a backward step runs."""
        leaf, gradient = self.finding.leaf, self._words.gradient
        if leaf is None or _NOTHING not in self.finding.why:
            return False
        return not any(self._without(node, gradient) for node in (leaf, self._alone.result))

    @property
    def is_particular(self) -> bool:
        """Whether the lines belong to one operand. A line that overwrites does not show itself."""
        return OVERWRITES not in self.finding.why

    def lines(self) -> Iterator[Frame]:
        """Yield the lines that may be wrong, the likeliest first.

        Lines that all operations go through count only if the fault is not in one derivative.
        """
        if self.finding.forward:
            found = self._value_lines()
        elif self.finding.leaf is not None:
            found = self._share_lines(self.finding.leaf)
        else:
            return
        anywhere = any(text in self.finding.why for text in _IN_ANY_STEP)
        yield from (frame for frame in found if anywhere or frame not in self._everybodys)

    def _value_lines(self) -> list[Frame]:
        alone, data = self._alone, self._words.data
        frames = [
            self._frames([*alone.steps, Put(leaf, data, None), alone.operation])
            for leaf in alone.leaves
        ]
        return next((list(reversed(some)) for some in frames if some), [])

    def _share_lines(self, leaf: Ref) -> list[Frame]:
        alone, words = self._alone, self._words
        adding = {each: self._without(each, words.gradient) for each in alone.leaves}
        mine = adding[leaf][::-1]
        others = {frame for each, some in adding.items() if each != leaf for frame in some}
        using = [self._without(each, words.data) for each in (*alone.leaves, alone.result)]
        used = [some[-1] for some in using if some]
        if mine and mine[0] in used:
            return mine
        taking = self._without(alone.result, words.gradient)[::-1]
        slopes = [frame for frame in used if frame not in others]
        own = [frame for frame in mine if frame not in others]
        return [*sorted(slopes, key=lambda frame: -frame.line), *own, *mine, *taking]

    def _without(self, node: Ref, attribute: str) -> list[Frame]:
        """Return where the backward step raises if a number is missing, outermost first."""
        alone = self._alone
        give, walk = alone.backward()
        missing = Put(node, attribute, None)
        return self._frames([*alone.steps, *alone.held(), alone.operation, give, missing, walk])

    def _frames(self, steps: Sequence[Step]) -> list[Frame]:
        fault = self._run(steps).fault
        return list(fault.frames) if fault is not None and fault.kind is Kind.RAISED else []

    @cached_property
    def _everybodys(self) -> set[Frame]:
        """The lines that other operations go through, too."""
        words, found = self._words, set[Frame]()
        leaf, other, result = map(Ref, range(3))
        make: list[Step] = [Make(leaf, words.make, [2.0]), Make(other, words.make, [3.0])]
        give = Put(result, words.gradient, 3.0)
        walk = Walk(result, words.operands, words.step, [leaf, other])
        for op in _OTHERS:
            if op != getattr(self._alone.step, "op", ""):
                done = Apply(result, op, [leaf, 3 if op == "**" else other])
                found.update(self._frames([*make, Put(leaf, words.data, None), done]))
                for node, attribute in (
                    (leaf, words.gradient),
                    (leaf, words.data),
                    (result, words.gradient),
                ):
                    missing = Put(node, attribute, None)
                    found.update(self._frames([*make, done, give, missing, walk]))
        return found
