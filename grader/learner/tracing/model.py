"""Define a trace: the graph that an engine built, the correct numbers, and every step of both
passes.

It holds only plain values. Each view (page, picture, terminal) is a pure function of a trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from grader.judge.plain_values import is_close, is_number
from grader.model import Shown

Role = Literal["leaf", "constant", "operation"]
"""A named input, a plain number, or the result of an operation."""

StepKind = Literal["begin", "forward", "seed", "run", "other", "stopped", "end"]
"""The event in a step: the inputs are there; a node is computed; the backward pass begins at the
result; a node's own backward step runs; a gradient changes outside every node's step; an exception
or an endless run; the end.
"""


class Number(NamedTuple):
    """The number in the engine, and the right one or None."""

    got: Shown
    right: float | None = None

    @property
    def wrong(self) -> bool:
        """Return whether it is known to be wrong."""
        return self.right is not None and not is_close(self.got, self.right)


@dataclass(frozen=True)
class Node:
    """One node of the graph, with its value and its final gradient.

    `operands` are indices in the list of nodes, in order, twice for `a * a`. `slopes` are the local
    derivatives by operand, one per use. `unrecorded` holds the operands that the engine did not
    record. `sign` is the operation in a few letters.
    """

    label: str
    sign: str
    role: Role
    operands: tuple[int, ...]
    value: Number
    gradient: Number
    slopes: Mapping[int, tuple[float, ...]]
    unrecorded: tuple[int, ...] = ()


@dataclass(frozen=True)
class Growth:
    """The effect of one step on one node's gradient: `before`, `after`, and the share to add.

    The share is `slopes` times `upstream`. A node that the same operation uses twice has two
    slopes. It has none if it is not an operand, or if they are unknown.
    """

    node: int
    before: Shown
    after: Shown
    slopes: tuple[float, ...] = ()
    upstream: float | None = None

    @property
    def share(self) -> float | None:
        """Return how much it should grow."""
        if self.upstream is None or not self.slopes:
            return None
        return sum(slope * self.upstream for slope in self.slopes)

    @property
    def gradient(self) -> Number:
        """Return the gradient afterwards."""
        if self.share is None or not is_number(self.before):
            return Number(self.after)
        return Number(self.after, self.before + self.share)


@dataclass(frozen=True)
class Step:
    """One step: a sentence about it, its nodes, and a sentence per problem."""

    kind: StepKind
    text: str
    node: int | None = None
    growths: tuple[Growth, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trace:
    """A graph and its two passes."""

    title: str
    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()

    @property
    def first_wrong(self) -> int | None:
        """Return the index of the first step that is wrong, None if all are right."""
        return next((index for index, step in enumerate(self.steps) if step.problems), None)
