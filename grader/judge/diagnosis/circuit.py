"""The graph in a script: its operations, where its backward pass begins, the right number and
gradient of every node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grader.curriculum.model import Graph
from grader.judge import oracle
from grader.judge.script.source import Listing
from grader.judge.script.steps import (
    Apply,
    Call,
    Get,
    Make,
    Operand,
    Put,
    Read,
    Repeat,
    Step,
    Walk,
    Watch,
)
from grader.worker import protocol
from grader.worker.protocol import Ref

FEW = 3  # a loop of many rounds shows its fault in a few
LARGE = 40


@dataclass(frozen=True)
class Circuit:
    """The operations of a script in the order in which they are made, one node each.

    The backward pass begins at `root`; where just its own step was asked for, `upstream` is the
    gradient that it was given. It is `implied` where the script asks something else of that node,
    such as the order of the nodes below. Nodes that have a gradient before that are `held`.
    """

    words: Graph
    steps: tuple[Step, ...]
    names: Mapping[Ref, str]
    module: str
    root: Ref | None
    upstream: float | None
    implied: bool = False
    held: Mapping[Ref, float] = field(default_factory=dict)

    @cached_property
    def values(self) -> dict[Ref, float]:
        """The right number of every node."""
        return oracle.evaluate(self.steps)

    @cached_property
    def gradients(self) -> dict[Ref, float]:
        """The right gradient of every node after the backward pass."""
        if self.root is None:
            return {}
        slopes = oracle.gradients(self.steps, self.root, list(self.values))
        scale = 1.0 if self.upstream is None else self.upstream
        return {ref: self.held.get(ref, 0.0) + slope * scale for ref, slope in slopes.items()}

    @property
    def operations(self) -> list[Step]:
        """The steps that are no leaves."""
        return [step for step in self.steps if not isinstance(step, Make)]

    def operands(self, step: Step) -> list[Ref]:
        """The nodes that an operation is applied to, each once."""
        return list(dict.fromkeys(step.references()))

    def hold(self) -> list[Step]:
        """The steps that give nodes the gradients that they have before the backward pass."""
        return [Put(ref, self.words.gradient, gradient) for ref, gradient in self.held.items()]

    def begin(self) -> list[Step]:
        """The steps that begin the backward pass; none where the script has none."""
        words, unused = self.words, protocol.UNUSED
        if self.root is None:
            return []
        if self.upstream is None:
            return [*self.hold(), Call(unused, self.root, words.backward, [])]
        leaves = [step.target for step in self.steps if isinstance(step, Make)]
        return [
            *self.hold(),
            Put(self.root, words.gradient, self.upstream),
            Walk(self.root, words.operands, words.step, list(leaves)),
        ]

    @cached_property
    def _listing(self) -> Listing:
        listing = Listing(
            self.steps, self.names, {self.root} if self.root is not None else set(), {}
        )
        listing.lines(self.module)
        return listing

    def label(self, ref: Ref) -> str:
        """A node as the listing calls it: a name, or the expression that it is."""
        return self._listing.expression(ref) if ref in self.values else "an intermediate node"

    def definition(self, ref: Ref) -> str:
        """A node with what it was made of, if it has a name of its own."""
        return self._listing.definition(ref)

    def operator(self, ref: Ref) -> str:
        """The operation that made a node; none for a leaf."""
        step = next(step for step in self.steps if step.target == ref)
        return next(iter(sorted(step.operators(), reverse=True)), "")


def circuit_of(
    steps: Sequence[Step], names: Mapping[Ref, str], module: str, words: Graph
) -> Circuit | None:
    """The graph that a script builds from nodes and numbers alone; None where it does more, or the
    graph is large.
    """
    built: list[Step] = []
    root: Ref | None = None
    asked: Ref | None = None
    given: dict[Ref, float] = {}
    for step in steps:
        if oracle.operations([step]) and not (isinstance(step, Make) and _is_other(step, words)):
            built += _unrolled(step) if isinstance(step, Repeat) else [step]
        elif isinstance(step, (Watch, Walk)) or (
            isinstance(step, Call) and step.method == words.backward and not step.args
        ):
            root = step.on
        elif (
            isinstance(step, Put)
            and step.attribute == words.gradient
            and isinstance(step.value, (int, float))
        ):
            given[step.on] = float(step.value)
        elif (
            isinstance(step, Call) and not step.args
        ):  # it leaves the graph as it is: clears gradients, lists nodes
            asked = step.on
        elif not isinstance(step, (Read, Get)):
            return None
    if not built or len(built) > LARGE:
        return None
    known = {step.target for step in built}
    implied = root is None and asked in known
    root = asked if implied else root
    upstream = (
        given.get(root)
        if root is not None and any(isinstance(step, Walk) for step in steps)
        else None
    )
    held = {
        ref: gradient
        for ref, gradient in given.items()
        if ref != root and ref in known and not implied
    }
    circuit = Circuit(words, tuple(built), names, module, root, upstream, implied, held)
    try:
        return circuit if circuit.values else None
    except (ArithmeticError, ValueError, TypeError):  # an example of what must be refused
        return None


def _is_other(step: Make, words: Graph) -> bool:
    number = len(step.args) == 1 and type(step.args[0]) in {int, float}
    return step.function.rpartition(".")[2] != words.make.rpartition(".")[2] or not number


def _unrolled(step: Repeat) -> list[Step]:
    """A few rounds of a loop, as steps of their own; only the last has a number that the script
    knows.
    """
    rounds = min(step.count, FEW)
    refs = [
        Ref(protocol.FIRST_ROUND + protocol.ROUNDS * step.target + number)
        for number in range(rounds - 1)
    ] + [step.target]
    found: list[Step] = []
    before = step.start
    for ref in refs:
        other: Operand = before if step.other is None else step.other
        found.append(Apply(ref, step.op, [before, other]))
        before = ref
    return found
