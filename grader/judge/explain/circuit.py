"""Find the graph in a script: its operations, the root of its backward pass, and its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from grader.curriculum.model import Graph
from grader.judge import oracle
from grader.judge.evidence import Evidence
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.source import Listing
from grader.judge.script.steps import (
    FIRST_ROUND,
    ROUNDS,
    UNUSED,
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
from grader.worker.protocol import Ref

FEW = 3  # rounds; a long loop shows its fault in the first few
LARGE = 40


@dataclass(frozen=True)
class Circuit:
    """The operations of a script in the order they are made, one node each.

    The backward pass begins at `root`. If the script only runs that node's own step, `upstream` is
    the gradient it is given. `implied` means that the script asks something else of that node, such
    as the order of the nodes below it. `held` maps nodes to the gradients that they have before the
    pass.
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
        """Return the right value of every node."""
        return oracle.evaluate(self.steps)

    @cached_property
    def gradients(self) -> dict[Ref, float]:
        """Return the correct gradient of every node after the backward pass."""
        if self.root is None:
            return {}
        slopes = oracle.gradients(self.steps, self.root, list(self.values))
        scale = 1.0 if self.upstream is None else self.upstream
        return {ref: self.held.get(ref, 0.0) + slope * scale for ref, slope in slopes.items()}

    @property
    def operations(self) -> list[Step]:
        """Return the steps that are not leaves."""
        return [step for step in self.steps if not is_leaf(step)]

    def operands(self, step: Step) -> list[Ref]:
        """Return the operands of an operation, each once."""
        return list(dict.fromkeys(step.references()))

    def hold(self) -> list[Step]:
        """Return the steps that set the gradients that nodes have before the backward pass."""
        return [Put(ref, self.words.gradient, gradient) for ref, gradient in self.held.items()]

    def begin(self) -> list[Step]:
        """Return the steps that begin the backward pass, or none if the script has none."""
        words, unused = self.words, UNUSED
        if self.root is None:
            return []
        if self.upstream is None:
            return [*self.hold(), Call(unused, self.root, words.backward, [])]
        leaves = [ref for step in self.steps if is_leaf(step) and (ref := step.target) is not None]
        return [
            *self.hold(),
            Put(self.root, words.gradient, self.upstream),
            Walk(self.root, words.operands, words.step, leaves),
        ]

    @cached_property
    def _listing(self) -> Listing:
        last = next(reversed(self.values))
        listing = Listing(
            self.steps, self.names, {self.root if self.root is not None else last}, {}
        )
        listing.lines(self.module)
        return listing

    def label(self, ref: Ref) -> str:
        """Return a node's name in the listing, or its expression."""
        return self._listing.expression(ref) if ref in self.values else "an intermediate node"

    def definition(self, ref: Ref) -> str:
        """Return how a node is made, if it has a name."""
        return self._listing.definition(ref)

    def operator(self, ref: Ref) -> str:
        """Return the operation that made a node, or an empty string for a leaf."""
        step = next(step for step in self.steps if step.target == ref)
        return max(step.operators(), default="")


def circuit_of(evidence: Evidence, words: Graph) -> Circuit | None:
    """Return the graph that a failing script builds only from nodes and numbers.

    Return None if the script does anything else, if the graph is large, or if a number is infinite.
    """
    built: list[Step] = []
    root: Ref | None = None
    asked: Ref | None = None
    given: dict[Ref, float] = {}
    for step in evidence.steps:
        match step:
            case Make() if _is_other(step, words):
                return None
            case _ if oracle.operations([step]):
                built += _unrolled(step) if isinstance(step, Repeat) else [step]
            case Watch(on=on) | Walk(on=on) | Call(on=on, method=words.backward, args=[]):
                root = on
            case Put(on=on, attribute=words.gradient, value=int() | float() as value):
                given[on] = float(value)
            case Call(
                on=on, args=[]
            ):  # it leaves the graph unchanged: clears gradients, lists nodes
                asked = on
            case Read() | Get():
                continue
            case _:
                return None
    if not built or len(built) > LARGE:
        return None
    known = {step.target for step in built}
    implied = root is None and asked in known
    root = asked if implied else root
    upstream = (
        given.get(root)
        if root is not None and any(isinstance(step, Walk) for step in evidence.steps)
        else None
    )
    held = {
        ref: gradient
        for ref, gradient in given.items()
        if ref != root and ref in known and not implied
    }
    names = _names_of(root, evidence)
    circuit = Circuit(words, tuple(built), names, evidence.module, root, upstream, implied, held)
    try:
        numbers = [*circuit.values.values(), *circuit.gradients.values()]
        return circuit if numbers and all(map(math.isfinite, numbers)) else None
    except (ArithmeticError, ValueError, TypeError):  # an example that must be refused
        return None


def is_cut(evidence: Evidence) -> bool:
    """Return whether a script's circuit has fewer rounds of a loop."""
    return any(isinstance(step, Repeat) and step.count > FEW for step in evidence.steps)


def _names_of(root: Ref | None, evidence: Evidence) -> dict[Ref, str]:
    """Return the names that the script gives its nodes, and the ones that the root and the node
    that was read have in the lines to paste.
    """
    steps = [step for step in evidence.steps if not isinstance(step, Read)]
    kept = {on for on, _ in filter(None, [evidence.failed])}
    names = Listing(steps, evidence.names, kept, {}).names
    found = {node: name for node, name in names.items() if node in {*kept, root}}
    return {**evidence.names, **found}


def is_leaf(step: Step) -> bool:
    """Return whether a step makes a node from a number."""
    return isinstance(step, Make) and not step.operators()


def _is_other(step: Make, words: Graph) -> bool:
    if step.operators() & FUNCTIONS.keys():
        return False
    number = len(step.args) == 1 and type(step.args[0]) in {int, float}
    return step.function.rpartition(".")[2] != words.make.rpartition(".")[2] or not number


def _unrolled(step: Repeat) -> list[Step]:
    """Return a few rounds of a loop as separate steps. The script knows only the last result."""
    rounds = min(step.count, FEW)
    refs = [Ref(FIRST_ROUND + ROUNDS * step.target + number) for number in range(rounds - 1)] + [
        step.target
    ]
    found: list[Step] = []
    before = step.start
    for ref in refs:
        other: Operand = before if step.other is None else step.other
        found.append(Apply(ref, step.op, [before, other]))
        before = ref
    return found
