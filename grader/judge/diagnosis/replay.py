"""Run each operation of a failing script alone on the learner's code, to see which one is wrong.

Alone, only the operation can be at fault: it gets new leaves, each with a gradient to add to, and
an upstream gradient other than 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from grader.judge import oracle
from grader.judge.diagnosis.circuit import Circuit
from grader.judge.diagnosis.evidence import Questions, Run
from grader.judge.diagnosis.written import CONSTRUCTOR
from grader.judge.script.steps import Apply, Builtin, Call, Make, Operand, Put, Step, Walk
from grader.model import Fault
from grader.text import both_shown, shown, with_article
from grader.worker.protocol import Ref

BEFORE = (0.25, 0.75)  # the gradients that the operands already have
UPSTREAM = 3.0
BOTH_SHARES = " gives both shares to "
OVERWRITES = " overwrites "
MADE = ("#out =", "return")  # where the result is made
_STEP = ("#def", "#out =", "return")  # where the backward step is written


class Finding(NamedTuple):
    """The error in the operation that made a node, as a sentence. `forward`: its value is wrong."""

    alone: Alone
    node: Ref
    blame: str
    why: str
    forward: bool = False
    facts: tuple[str, ...] = ()  # how the line to blame begins, in the words of `Function`
    leaf: Ref | None = None  # the operand that gets a wrong share
    raised: str = ""  # the exception, which says more than a sentence could


def replay(circuit: Circuit, run: Run) -> list[Finding]:
    """Return the wrong operations of the script, in the order they are made."""
    found = (_finding(circuit, step, run) for step in circuit.operations)
    return [finding for finding in found if finding is not None]


def _finding(circuit: Circuit, step: Step, run: Run) -> Finding | None:
    """Try the operation with a separate node for each operand, then with shared ones.

    An operand used twice would hide which of its shares is wrong.
    """
    finding = Alone(circuit, step, shared=False).finding(run)
    repeated = len(circuit.operands(step)) < len(step.references())
    return (
        Alone(circuit, step, shared=True).finding(run) if finding is None and repeated else finding
    )


def beneath(finding: Finding, functions: Iterable[str], run: Run) -> Finding | None:
    """Return what is wrong with one of the functions that a wrong function calls, if anything."""
    circuit, step = finding.alone.circuit, finding.alone.step
    if not isinstance(step, Call):
        return None
    for name in functions:
        inner = replace(step, method=name)
        steps = tuple(inner if each is step else each for each in circuit.steps)
        found = Alone(replace(circuit, steps=steps), inner, shared=False).finding(run)
        if found is not None and found.forward:
            return found
    return None


class Alone:
    """An operation on new leaves, by default with the numbers that it has in the script."""

    def __init__(
        self, circuit: Circuit, step: Step, *, shared: bool, numbers: Sequence[float] = ()
    ) -> None:
        self.circuit, self.step = circuit, step
        node = step.target
        assert node is not None
        self.node = node
        operands = circuit.operands(step) if shared else step.references()
        self.leaves = {Ref(number): operand for number, operand in enumerate(operands)}
        self.before = dict(zip(self.leaves, BEFORE))
        self.result = Ref(len(self.leaves))
        self.upstream: float = (
            circuit.upstream if circuit.upstream not in {None, 0.0, 1.0} else UPSTREAM
        )
        make = circuit.words.make
        self.numbers = numbers or [circuit.values[operand] for operand in operands]
        self.steps: list[Step] = [
            Make(leaf, make, [number]) for leaf, number in zip(self.leaves, self.numbers)
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

    def _failing(self, fault: Fault) -> Finding | None:
        words, node = self.circuit.words, self.circuit.words.make.rpartition(".")[2]
        held = re.match(r"'(\w+)' object has no attribute '(\w+)'", fault.message)
        walked = {words.operands, words.step, words.gradient}
        if held and held[1] != node and held[2] in walked and not fault.frames:
            kind = with_article(held[1])
            return self._found(
                f"`{words.operands}` of `{self.label()}` holds {kind}; every operand in it must be"
                f" a {node}",
                *MADE,
            )
        if not fault.frames:  # the grader's own walk met it
            return None
        return self._found("")._replace(raised=fault.type_name or fault.kind.value)

    def held(self) -> list[Step]:
        """Return the steps that set the gradients which the operands already have."""
        gradient = self.circuit.words.gradient
        return [Put(leaf, gradient, held) for leaf, held in self.before.items()]

    def backward(self) -> list[Step]:
        """Return the steps that give the result a gradient and run its backward step."""
        words = self.circuit.words
        return [
            Put(self.result, words.gradient, self.upstream),
            Walk(self.result, words.operands, words.step, list(self.leaves)),
        ]

    def share(self, leaf: Ref, run: Run) -> float | None:
        """Return what the backward step adds to an operand's gradient, if that is a number."""
        asked = Questions([*self.steps, *self.held(), self.operation, *self.backward()])
        asked.ask("share", leaf, self.circuit.words.gradient)
        got: Any = asked.answers(run)[0].get("share")
        return got - self.before[leaf] if type(got) in {int, float} else None

    def _questions(self) -> Questions:
        words = self.circuit.words
        asked = Questions(self.steps)
        for leaf in self.leaves:
            asked.ask(("made", leaf), leaf, words.data)
        asked.do(*self.held(), self.operation)
        asked.ask("value", self.result, words.data)
        for leaf in self.leaves:
            asked.ask(("object", leaf), leaf, "", "ref")
            asked.ask(("kept", leaf), leaf, words.data)
            asked.ask(("before", leaf), leaf, words.gradient)
        asked.ask("graph", self.result, words.operands, "graph")
        asked.do(*self.backward())
        for leaf in self.leaves:
            asked.ask(("after", leaf), leaf, words.gradient)
            asked.ask(("number after", leaf), leaf, words.data)
        asked.ask("upstream", self.result, words.gradient)
        again = Ref(self.result + 1)
        asked.do(Make(again, words.make, [self.value]))
        asked.ask("made again", again, words.data)
        return asked

    def _forward(self, answers: dict[Any, Any]) -> Finding | None:
        for leaf, operand in self.leaves.items():
            if not _is(answers["made", leaf], self.circuit.values[operand]):
                return self._made_wrong(self.circuit.values[operand], answers["made", leaf])
        if not _is(answers["value"], self.value):
            if not _is(answers["made again"], self.value):
                return self._made_wrong(self.value, answers["made again"])
            got, want = _both(answers["value"], self.value)
            return self._found(
                f"`{self.label()}` gives {got}; it should give {want}", *MADE, forward=True
            )
        return None

    def _made_wrong(self, number: float, got: Any) -> Finding:
        made = f"{self.circuit.words.make.rpartition('.')[2]}({shown(number)})"
        why = f"`{made}` holds {_told(got)} right after it is made"
        return Finding(self, self.node, CONSTRUCTOR, why, forward=True)

    def _operands(self, answers: dict[Any, Any]) -> Finding | None:
        words = self.circuit.words
        reached = {node for node, _ in answers["graph"]}
        for leaf, operand in self.leaves.items():
            name, number = self.circuit.label(operand), self.circuit.values[operand]
            if not _is(answers["kept", leaf], number):
                got = _told(answers["kept", leaf])
                return self._found(
                    f"`{self.label()}` changes `{name}` itself, from {shown(number)} to {got}",
                    f"{self._parameter(leaf)}.{words.data} ",
                    forward=True,
                )
            if not _is(answers["before", leaf], self.before[leaf]):
                return self._found(
                    f"computing `{self.label()}` changes the gradient of `{name}`; only the"
                    " backward step may do that",
                    f"{self._parameter(leaf)}.{words.gradient} ",
                )
            if answers["object", leaf] == self.result:
                node = words.make.rpartition(".")[2]
                return self._found(f"`{self.label()}` is `{name}` itself, not a new {node}", *MADE)
            if leaf not in reached and not any(
                self.numbers[other] == number for other in self.leaves.keys() & reached
            ):  # in a set of equal numbers, one may stand for both
                others = len(reached - {self.result, *self.leaves})
                wrapped = len(self.leaves) < len(getattr(self.operation, "args", []))
                lacks = (
                    f"`{words.operands}` holds a different object in its place, perhaps a copy"
                    if others == wrapped + len(self.leaves.keys() - reached)
                    else f"`{words.operands}` does not contain it"
                )
                told = f"`{self.label()}` does not know `{name}`: {lacks}, so it gets no gradient"
                return self._found(told, *MADE)
        return None

    def _backward(self, answers: dict[Any, Any]) -> Finding | None:
        gradient, data = self.circuit.words.gradient, self.circuit.words.data
        for leaf, operand in self.leaves.items():
            name, number = self.circuit.label(operand), self.circuit.values[operand]
            if not _is(answers["number after", leaf], number):
                got = _told(answers["number after", leaf])
                return self._found(
                    f"the backward step of `{self.label()}` changes the number in `{name}`, from"
                    f" {shown(number)} to {got}; it must change `{name}.{gradient}`",
                    f"{self._parameter(leaf)}.{data} ",
                    f"#.{data} ",
                    *_STEP,
                )
        for leaf, slope in self.slopes.items():
            got, share = answers["after", leaf], self.upstream * slope
            if not _is(got, self.before[leaf] + share):
                found = self._found(
                    self._told_of_one_for_all(answers) or self._told_of_share(leaf, got, slope),
                    f"{self._parameter(leaf)}.{gradient} ",
                    f"#.{gradient} ",
                    *_STEP,
                )
                return found._replace(leaf=leaf)
        if not _is(answers["upstream"], self.upstream):
            got = _told(answers["upstream"])
            return self._found(
                f"the backward step of `{self.label()}` changes its own gradient, from"
                f" {shown(self.upstream)} to {got}",
                f"#out.{gradient} ",
                *_STEP,
            )
        return None

    def _told_of_one_for_all(self, answers: dict[Any, Any]) -> str:
        """Return that one of two operands gets both shares, if it is so."""
        whole = self.upstream * sum(self.slopes.values())
        given = {leaf: before for leaf, before in self.before.items() if leaf in self.slopes}
        for leaf, before in given.items():
            rest = [other for other in given if other != leaf]
            if len(rest) == 1 and _is(answers["after", leaf], before + whole):
                other = rest[0]
                names = [self.circuit.label(self.leaves[each]) for each in (leaf, other)]
                if self.slopes[other] and _is(answers["after", other], given[other]):
                    step = f"the backward step of `{self.label()}`"
                    return f"{step}{BOTH_SHARES}`{names[0]}` and nothing to `{names[1]}`"
        return ""

    def _told_of_share(self, leaf: Ref, got: Any, slope: float) -> str:
        name, before = self.circuit.label(self.leaves[leaf]), self.before[leaf]
        step, share = f"the backward step of `{self.label()}`", self.upstream * slope
        if type(got) not in {int, float}:
            told = f"{step} leaves {_told(got)} as the gradient of `{name}`"
            node, data = self.circuit.words.make.rpartition(".")[2], self.circuit.words.data
            if getattr(got, "type_name", "") != node:
                return told
            return f"{told}: it computes with a {node} where the number in it (`.{data}`) belongs"
        if _is(got, share):
            return f"{step}{OVERWRITES}the gradient of `{name}`; it must add to it"
        if _is(got, before):
            return f"{step} sends nothing to `{name}`"
        if _is(got, before + slope):
            told = f"{step} ignores the gradient of `{self.label()}`: that is"
            wanted = f"`{name}` gets {' instead of '.join(both_shown(slope, share))}"
            return f"{told} {shown(self.upstream)}, but {wanted}"
        if _is(got, before + before * slope):
            return (
                f"{step} multiplies by the gradient of `{name}`; it must use the gradient of"
                f" `{self.label()}`"
            )
        wanted = _both(got - before, share)[1]
        if slope not in {0.0, 1.0}:
            wanted = f"{shown(slope, 4)} * {shown(self.upstream, 4)} = {wanted}"
        return f"{self.arrives(leaf, got - before)}; it should get {wanted}"

    def arrives(self, leaf: Ref, share: float) -> str:
        """Return a clause that says what an operand gets, and for which gradient."""
        given = f"when the gradient of `{self.label()}` is {shown(self.upstream)}"
        got, _ = _both(share, self.upstream * self.slopes[leaf])
        return f"{given}, `{self.circuit.label(self.leaves[leaf])}` gets {got}"

    def label(self) -> str:
        """Return the operation with its operands' names instead of its own name."""
        return self.circuit.definition(self.node).partition(" = ")[2] or self.circuit.label(
            self.node
        )

    def _found(self, why: str, *facts: str, forward: bool = False) -> Finding:
        return Finding(self, self.node, self.circuit.operator(self.node), why, forward, facts)

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
    assert isinstance(step, (Apply, Builtin, Make))
    return replace(step, target=result, args=[moved(arg) for arg in step.args])


def _is(got: Any, want: float) -> bool:
    return type(got) in {int, float} and oracle.close(got, want)


def _told(got: Any) -> str:
    return _both(got, None)[0]


def _both(got: Any, want: float | None) -> tuple[str, str]:
    """Return a number, or what it is instead, and the right one."""
    if type(got) in {int, float}:
        return both_shown(got, want)
    return with_article(got.type_name), shown(want, 4)
