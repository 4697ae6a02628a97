"""Run each operation of a failing script on its own, on the learner's code, to see which one is
wrong.

Then only the operation can be at fault: it gets new leaves, each with a gradient to add to, and an
upstream gradient other than 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from grader.judge import oracle
from grader.judge.evidence import Questions, Run
from grader.judge.explain.circuit import Circuit
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.plain_values import is_close, is_number
from grader.judge.script.steps import Apply, Builtin, Call, Make, Operand, Put, Step, Walk
from grader.model import Fault
from grader.text import article, both_shown, shown
from grader.worker.protocol import Ref

CONSTRUCTOR = "constructor"
BEFORE = (0.25, 0.75)  # the gradients that the operands already have
UPSTREAM = 3.0


class Finding(NamedTuple):
    """The error in the operation that made a node, as a sentence.

    `forward`: its value is wrong. `idle`: its backward step does nothing. `leaf` is the operand
    that gets a wrong share, `wrong` an attribute with a wrong number, and `raised` an exception,
    which says more than a sentence could.
    """

    alone: Alone
    node: Ref
    blame: str
    why: str
    forward: bool = False
    leaf: Ref | None = None
    raised: str = ""
    idle: bool = False
    wrong: tuple[Ref, str] | None = None


def wrong_operations(circuit: Circuit, run: Run) -> list[Finding]:
    """Return the wrong operations of the script, in the order they are made."""
    found = (_finding(circuit, step, run) for step in circuit.operations)
    return [finding for finding in found if finding is not None]


def every_operation(circuit: Circuit) -> Iterator[Alone]:
    """Yield each operator and each function on its own, whatever the circuit is made of."""
    a, b, result = Ref(0), Ref(1), Ref(2)
    steps: list[Step] = [Apply(result, op, [a, b]) for op in ("+", "-", "*", "/")]
    steps += [Apply(result, "**", [a, 2.0]), Apply(result, "neg", [a])]
    steps += [Call(result, a, name, []) for name in FUNCTIONS]
    leaves = [Make(leaf, circuit.words.make, [leaf + 0.5]) for leaf in (a, b)]
    for step in steps:
        each = Circuit(circuit.words, (*leaves, step), {}, circuit.module, None, None)
        yield Alone(each, step, shared=False)


def _finding(circuit: Circuit, step: Step, run: Run) -> Finding | None:
    """Try the operation with a separate node for each operand, then with shared ones.

    An operand used twice would hide which of its shares is wrong.
    """
    finding = Alone(circuit, step, shared=False).finding(run)
    if finding is not None or len(circuit.operands(step)) == len(step.references()):
        return finding
    finding = Alone(circuit, step, shared=True).finding(run)
    if finding is None or finding.leaf is None:
        return finding
    name = circuit.label(finding.alone.leaves[finding.leaf])
    told = f"With two different operands it is right: each use of `{name}` must add its own share"
    return finding._replace(why=f"{finding.why}. {told}")


class Alone:
    """An operation on new leaves, with the numbers that it has in the script."""

    def __init__(
        self, circuit: Circuit, step: Step, *, shared: bool, before: Sequence[float] | None = None
    ) -> None:
        self.circuit, self.step, self.shared = circuit, step, shared
        node = step.target
        assert node is not None
        self.node = node
        slots = step.references()
        operands = circuit.operands(step) if shared else slots
        self.leaves = {Ref(number): operand for number, operand in enumerate(operands)}
        self.before = {
            leaf: own if before else circuit.held.get(operand) or own
            for (leaf, operand), own in zip(self.leaves.items(), before or BEFORE)
        }
        self.result = Ref(len(self.leaves))
        self.upstream: float = (
            circuit.upstream if circuit.upstream not in {None, 0.0, 1.0} else UPSTREAM
        )
        make = circuit.words.make
        self.numbers = [circuit.values[operand] for operand in operands]
        self.steps: list[Step] = [
            Make(leaf, make, [number]) for leaf, number in zip(self.leaves, self.numbers)
        ]
        places = map(operands.index, slots) if shared else range(len(slots))
        self.operation = _moved(step, map(Ref, places), self.result)
        self.slopes = oracle.gradients(
            [*self.steps, self.operation], self.result, list(self.leaves)
        )
        self.value = oracle.evaluate([*self.steps, self.operation])[self.result]

    def finding(self, run: Run) -> Finding | None:
        """Return the operation's fault, or None."""
        asked = self._questions()
        answers, reply = asked.answers(run)
        if reply.fault is not None:
            return self._failing(reply.fault)
        return self._forward(answers) or self._operands(answers) or self._backward(answers, run)

    @property
    def script(self) -> list[Step]:
        """Return the steps of the operation and of its backward step."""
        return [*self.steps, self.operation, *self._backward_steps()]

    def _failing(self, fault: Fault) -> Finding | None:
        words, node = self.circuit.words, self.circuit.words.node
        held = re.match(r"'(\w+)' object has no attribute '(\w+)'", fault.message)
        walked = {words.operands, words.step, words.gradient}
        if held and held[1] != node and held[2] in walked and not fault.frames:
            return self._found(
                f"`{words.operands}` of `{self.label()}` holds {article(held[1])}; every"
                f" operand in it must be a {node}"
            )
        if not fault.frames:  # the grader's own walk found it
            return None
        return self._found("")._replace(raised=fault.type_name or fault.kind.value)

    def _backward_steps(self) -> list[Step]:
        """Return the steps that give the result a gradient and run its backward step."""
        words = self.circuit.words
        return [
            Put(self.result, words.gradient, self.upstream),
            Walk(self.result, words.operands, words.step, list(self.leaves)),
        ]

    def _questions(self) -> Questions:
        words = self.circuit.words
        asked = Questions(self.steps)
        for leaf in self.leaves:
            asked.ask(("made", leaf), leaf, words.data)
        asked.do(*(Put(leaf, words.gradient, held) for leaf, held in self.before.items()))
        asked.do(self.operation)
        asked.ask("value", self.result, words.data)
        for leaf in self.leaves:
            asked.ask(("kept", leaf), leaf, words.data)
        asked.ask("graph", self.result, words.operands, "graph")
        asked.do(*self._backward_steps())
        for leaf in self.leaves:
            asked.ask(("after", leaf), leaf, words.gradient)
            asked.ask(("number after", leaf), leaf, words.data)
        again = Ref(self.result + 1)
        asked.do(Make(again, words.make, [self.value]))
        asked.ask("made again", again, words.data)
        return asked

    # --- the value, and what the operation does to its operands ---

    def _forward(self, answers: dict[Any, Any]) -> Finding | None:
        for leaf, operand in self.leaves.items():
            if not is_close(answers["made", leaf], self.circuit.values[operand]):
                return self._made_wrong(self.circuit.values[operand], answers["made", leaf])
        if is_close(answers["value"], self.value):
            return None
        if not is_close(answers["made again"], self.value):
            return self._made_wrong(self.value, answers["made again"])
        value, told = answers["value"], f"`{self.label()}` gives"
        if not is_number(value):
            why = self._told_of_other(f"{told} {_told(value)} as its number", value)
        else:
            got, want = _both(value, self.value)
            why = f"{told} {got}; it should give {want}"
        return self._found(why, forward=True)

    def _made_wrong(self, number: float, got: Any) -> Finding:
        made = f"{self.circuit.words.node}({shown(number)})"
        why = f"`{made}` holds {_told(got)} right after it is made"
        return Finding(self, self.node, CONSTRUCTOR, why, forward=True)

    def _operands(self, answers: dict[Any, Any]) -> Finding | None:
        words = self.circuit.words
        reached = {node for node, _ in answers["graph"]}
        for leaf, operand in self.leaves.items():
            name, number = self.circuit.label(operand), self.circuit.values[operand]
            if not is_close(answers["kept", leaf], number):
                got = _told(answers["kept", leaf])
                why = f"`{self.label()}` changes `{name}` itself, from {shown(number)} to {got}"
                return self._found(why, forward=True)._replace(wrong=(leaf, words.data))
            # in a set of equal numbers, one may stand for both
            alike = any(self.numbers[other] == number for other in self.leaves.keys() & reached)
            if leaf not in reached and not alike:
                lacks = f"`{words.operands}` does not contain it"
                return self._found(f"`{self.label()}` does not know `{name}`: {lacks}")
        return None

    # --- the backward step ---

    def _backward(self, answers: dict[Any, Any], run: Run) -> Finding | None:
        gradient, step = self.circuit.words.gradient, f"the backward step of `{self.label()}`"
        for leaf, operand in self.leaves.items():
            name, number = self.circuit.label(operand), self.circuit.values[operand]
            if not is_close(answers["number after", leaf], number):
                got = _told(answers["number after", leaf])
                return self._found(
                    f"{step} changes the number in `{name}`, from {shown(number)} to {got}; it must"
                    f" change `{name}.{gradient}`"
                )
        given = {leaf: answers["after", leaf] for leaf in self.leaves}
        idle = all(is_close(given[leaf], self.before[leaf]) for leaf in self.leaves)
        for leaf, slope in self.slopes.items():
            if not is_close(given[leaf], self.before[leaf] + self.upstream * slope):
                why = self._told_of_share(leaf, given[leaf], slope, run)
                wrong = (leaf, self.circuit.words.gradient)
                return self._found(why)._replace(leaf=leaf, idle=idle, wrong=wrong)
        return None

    def _told_of_share(self, leaf: Ref, got: Any, slope: float, run: Run) -> str:
        name, before = self.circuit.label(self.leaves[leaf]), self.before[leaf]
        step, share = f"the backward step of `{self.label()}`", self.upstream * slope
        if not is_number(got):
            return self._told_of_other(
                f"{step} leaves {_told(got)} as the gradient of `{name}`", got
            )
        if is_close(got, share):
            return f"{step} overwrites the gradient of `{name}`; it must add to it"
        if is_close(got, before + slope):
            told = f"{step} ignores the gradient of `{self.label()}`, which is"
            wanted = f"`{name}` gets {' instead of '.join(both_shown(slope, share))}"
            return f"{told} {shown(self.upstream)}, but {wanted}"
        if got != before and is_close(got, before + before * slope):
            return (
                f"{step} multiplies by the gradient of `{name}`; it must use the gradient of"
                f" `{self.label()}`"
            )
        new = Alone(self.circuit, self.step, shared=self.shared, before=[0.0] * len(self.leaves))
        on_new = new._questions().answers(run)[0].get(("after", leaf))
        is_wrong = is_number(on_new) and not is_close(on_new, share)
        given, wanted = _both(on_new if is_wrong else got - before, share)
        held = "" if is_wrong else " and its operands have one already"
        told = (
            f"when the gradient of `{self.label()}` is {shown(self.upstream)}{held}, `{name}` gets"
        )
        if slope not in {0.0, 1.0}:
            wanted = f"{shown(slope, 4)} * {shown(self.upstream, 4)} = {wanted}"
        return f"{told} {given}; it should get {wanted}"

    def _told_of_other(self, told: str, got: Any) -> str:
        """Say why something is not a number, if it is a node."""
        node, data = self.circuit.words.node, self.circuit.words.data
        if getattr(got, "type_name", "") != node:
            return told
        return f"{told}: it computes with a {node} where the number in it (`.{data}`) belongs"

    def label(self) -> str:
        """Return the operation with its operands' names instead of its own name."""
        return self.circuit.definition(self.node).partition(" = ")[2] or self.circuit.label(
            self.node
        )

    def _found(self, why: str, *, forward: bool = False) -> Finding:
        return Finding(self, self.node, self.circuit.operator(self.node), why, forward)


def _moved(step: Step, leaves: Iterator[Ref], result: Ref) -> Step:
    """Return the same operation with the next of these leaves in place of each operand."""

    def moved(operand: Operand) -> Operand:
        if isinstance(operand, list):
            return [moved(item) for item in operand]
        return next(leaves) if isinstance(operand, Ref) else operand

    if isinstance(step, Call):
        return Call(result, Ref(0), step.method, [])
    assert isinstance(step, (Apply, Builtin, Make))
    return replace(step, target=result, args=[moved(arg) for arg in step.args])


def _told(got: Any) -> str:
    return _both(got, None)[0]


def _both(got: Any, want: float | None) -> tuple[str, str]:
    """Return a number, or what was read instead, and the right one."""
    if is_number(got):
        return both_shown(got, want)
    return article(got.type_name), shown(want, 4)
