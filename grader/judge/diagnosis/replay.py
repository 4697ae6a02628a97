"""Run each operation of a failing script alone on the learner's code, to see which one is wrong.

Alone, only the operation can be at fault: it gets new leaves, each with a gradient to add to, and
an upstream gradient other than 1.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from grader.judge import oracle
from grader.judge.diagnosis.circuit import Circuit
from grader.judge.diagnosis.evidence import Questions, Run
from grader.judge.diagnosis.written import CONSTRUCTOR
from grader.judge.script.steps import Apply, Builtin, Call, Make, Operand, Put, Step, Walk
from grader.model import Fault
from grader.text import shown, with_article
from grader.worker.protocol import Ref

BEFORE = 0.25  # the gradient that every operand already has
UPSTREAM = 3.0
_MADE = ("#out =", "return ")  # where the result is made
_STEP = ("#def", "#out =", "return ")  # where the backward step is written


class Finding(NamedTuple):
    """The error in the operation that made a node, as a sentence. `forward`: its value is wrong."""

    node: Ref
    blame: str
    why: str
    forward: bool = False
    facts: tuple[str, ...] = ()  # how the line to blame begins, in the words of `Function`


def replay(circuit: Circuit, run: Run) -> list[Finding]:
    """Return the wrong operations of the script, in the order they are made."""
    found = (_finding(circuit, step, run) for step in circuit.operations)
    return [finding for finding in found if finding is not None]


def _finding(circuit: Circuit, step: Step, run: Run) -> Finding | None:
    """Try the operation with a separate node for each operand, then with shared ones.

    An operand used twice would hide which of its shares is wrong.
    """
    finding = _Alone(circuit, step, shared=False).finding(run)
    repeated = len(circuit.operands(step)) < len(step.references())
    return (
        _Alone(circuit, step, shared=True).finding(run) if finding is None and repeated else finding
    )


class _Alone:
    """An operation on new leaves."""

    def __init__(self, circuit: Circuit, step: Step, *, shared: bool) -> None:
        self.circuit = circuit
        node = step.target
        assert node is not None
        self.node = node
        operands = circuit.operands(step) if shared else step.references()
        self.leaves = {Ref(number): operand for number, operand in enumerate(operands)}
        self.result = Ref(len(self.leaves))
        self.upstream: float = (
            circuit.upstream if circuit.upstream not in {None, 0.0, 1.0} else UPSTREAM
        )
        make = circuit.words.make
        self.steps: list[Step] = [
            Make(leaf, make, [circuit.values[operand]]) for leaf, operand in self.leaves.items()
        ]
        self.operation = _moved(step, self.leaves, self.result)
        self.slopes = oracle.gradients(
            [*self.steps, self.operation], self.result, list(self.leaves)
        )
        self.value = oracle.evaluate([*self.steps, self.operation])[self.result]

    def finding(self, run: Run) -> Finding | None:
        """Return what is wrong with it, or None."""
        asked = self._questions()
        answers, reply = asked.answers(run)
        if reply.fault is not None:
            return self._failing(reply.fault)
        return self._forward(answers) or self._operands(answers) or self._backward(answers)

    def _failing(self, fault: Fault) -> Finding:
        words, node = self.circuit.words, self.circuit.words.make.rpartition(".")[2]
        held = re.match(r"'(\w+)' object has no attribute '(\w+)'", fault.message)
        walked = {words.operands, words.step, words.gradient}
        if held and held[1] != node and held[2] in walked and not fault.frames:
            kind = with_article(held[1])
            return self._found(
                f"`{words.operands}` of `{self._label()}` holds {kind}; it must hold the operands",
                *_MADE,
            )
        name = fault.type_name or fault.kind.value
        return self._found(f"alone, `{self._label()}` fails: {name}")

    def _questions(self) -> Questions:
        words = self.circuit.words
        asked = Questions(self.steps)
        for leaf in self.leaves:
            asked.ask(("made", leaf), leaf, words.data)
        asked.do(*(Put(leaf, words.gradient, BEFORE) for leaf in self.leaves), self.operation)
        asked.ask("value", self.result, words.data)
        for leaf in self.leaves:
            asked.ask(("kept", leaf), leaf, words.data)
            asked.ask(("before", leaf), leaf, words.gradient)
        asked.ask("graph", self.result, words.operands, "graph")
        asked.do(Put(self.result, words.gradient, self.upstream))
        asked.do(Walk(self.result, words.operands, words.step, list(self.leaves)))
        for leaf in self.leaves:
            asked.ask(("after", leaf), leaf, words.gradient)
            asked.ask(("number after", leaf), leaf, words.data)
        asked.ask("upstream", self.result, words.gradient)
        return asked

    def _forward(self, answers: dict[Any, Any]) -> Finding | None:
        for leaf, operand in self.leaves.items():
            if not _is(answers["made", leaf], self.circuit.values[operand]):
                number, got = shown(self.circuit.values[operand]), _told(answers["made", leaf])
                made = f"{self.circuit.words.make.rpartition('.')[2]}({number})"
                return Finding(
                    self.node,
                    CONSTRUCTOR,
                    f"`{made}` holds {got} right after it is made",
                    forward=True,
                )
        if not _is(answers["value"], self.value):
            got = _told(answers["value"])
            return self._found(
                f"`{self._label()}` gives {got}; {shown(self.value)} is right", *_MADE, forward=True
            )
        return None

    def _operands(self, answers: dict[Any, Any]) -> Finding | None:
        words = self.circuit.words
        reached = {node for node, _ in answers["graph"]}
        for leaf, operand in self.leaves.items():
            name, number = self.circuit.label(operand), self.circuit.values[operand]
            if not _is(answers["kept", leaf], number):
                got = _told(answers["kept", leaf])
                return self._found(
                    f"`{self._label()}` changes `{name}` itself, from {shown(number)} to {got}",
                    f"{self._parameter(leaf)}.{words.data} ",
                    forward=True,
                )
            if not _is(answers["before", leaf], BEFORE):
                return self._found(
                    f"making `{self._label()}` changes the gradient of `{name}`; only the backward"
                    " step may",
                    f"{self._parameter(leaf)}.{words.gradient} ",
                )
            if leaf not in reached:
                told = (
                    f"`{self._label()}` does not know `{name}`: `{words.operands}` lacks it, so it"
                    " gets no gradient"
                )
                return self._found(told, *_MADE)
        return None

    def _backward(self, answers: dict[Any, Any]) -> Finding | None:
        gradient, data = self.circuit.words.gradient, self.circuit.words.data
        for leaf, operand in self.leaves.items():
            name, number = self.circuit.label(operand), self.circuit.values[operand]
            if not _is(answers["number after", leaf], number):
                got = _told(answers["number after", leaf])
                return self._found(
                    f"the backward step of `{self._label()}` changes the number in `{name}`, from"
                    f" {shown(number)} to {got}; it must change `{name}.{gradient}`",
                    f"{self._parameter(leaf)}.{data} ",
                    f"#.{data} ",
                    *_STEP,
                )
        for leaf, slope in self.slopes.items():
            got, share = answers["after", leaf], self.upstream * slope
            if not _is(got, BEFORE + share):
                return self._found(
                    self._told_of_share(self.circuit.label(self.leaves[leaf]), got, slope),
                    f"{self._parameter(leaf)}.{gradient} ",
                    f"#.{gradient} ",
                    *_STEP,
                )
        if not _is(answers["upstream"], self.upstream):
            got = _told(answers["upstream"])
            return self._found(
                f"the backward step of `{self._label()}` changes its own gradient, from"
                f" {shown(self.upstream)} to {got}",
                f"#out.{gradient} ",
                *_STEP,
            )
        return None

    def _told_of_share(self, name: str, got: Any, slope: float) -> str:
        step, share = f"the backward step of `{self._label()}`", self.upstream * slope
        if type(got) not in {int, float}:
            return f"{step} leaves {_told(got)} as the gradient of `{name}`"
        if _is(got, share):
            return f"{step} overwrites the gradient of `{name}`; it must add to it"
        if _is(got, BEFORE):
            return f"{step} sends nothing to `{name}`"
        if _is(got, BEFORE + slope):
            told = (
                f"{step} ignores the gradient of `{self._label()}`: that is {shown(self.upstream)}"
            )
            return f"{told}, but `{name}` gets {shown(slope)} instead of {shown(share)}"
        if _is(got, BEFORE + BEFORE * slope):
            return (
                f"{step} multiplies by the gradient of `{name}`; it must use the gradient of"
                f" `{self._label()}`"
            )
        arrives = f"when the gradient of `{self._label()}` is {shown(self.upstream)}"
        product = f"{shown(slope)} * {shown(self.upstream)}"
        wanted = shown(share) if slope in {0.0, 1.0} else f"{product} = {shown(share)}"
        return f"{arrives}, `{name}` gets {_told(got - BEFORE)}; it should get {wanted}"

    def _label(self) -> str:
        """Return the operation with its operands' names instead of its own name."""
        return self.circuit.definition(self.node).partition(" = ")[2] or self.circuit.label(
            self.node
        )

    def _found(self, why: str, *facts: str, forward: bool = False) -> Finding:
        return Finding(self.node, self.circuit.operator(self.node), why, forward, facts)

    def _parameter(self, leaf: Ref) -> str:
        """Return an operand's name in the facts about the operation's function."""
        return f"#{list(self.leaves).index(leaf)}"


def _moved(step: Step, leaves: dict[Ref, Ref], result: Ref) -> Step:
    """Return the same operation on the leaves.

    Each slot gets its own leaf, or slots with the same operand share one.
    """
    unused = list(leaves)

    def moved(operand: Operand) -> Operand:
        if isinstance(operand, list):
            return [moved(item) for item in operand]
        if not isinstance(operand, Ref):
            return operand
        leaf = next((leaf for leaf in unused if leaves[leaf] == operand), None)
        if leaf is None:  # the slots share a leaf
            return next(leaf for leaf in leaves if leaves[leaf] == operand)
        unused.remove(leaf)
        return leaf

    if isinstance(step, Call):
        return Call(result, Ref(0), step.method, [])
    assert isinstance(step, (Apply, Builtin))
    return step._replace(target=result, args=[moved(arg) for arg in step.args])


def _is(got: Any, want: float) -> bool:
    return type(got) in {int, float} and oracle.close(got, want)


def _told(got: Any) -> str:
    return (
        shown(round(got, 9))
        if type(got) is float
        else shown(got)
        if type(got) is int
        else f"a {got.type_name}"
    )
