"""A trace: the graph that an engine built, what is right in it and what is not, and every step of
the two passes.

Plain values. Every view of a trace (page, picture, terminal) is a pure function of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from grader.model import Shown


class Role(str, Enum):
    """What a node is: a name with a number, a plain number, or what an operation made."""

    LEAF = "leaf"
    CONSTANT = "constant"
    OPERATION = "operation"


class StepKind(str, Enum):
    """What happens in a step."""

    BEGIN = "begin"  # the numbers that everything begins with
    FORWARD = "forward"  # a node is computed
    SEED = "seed"  # the backward pass begins at the result
    RUN = "run"  # a node's own backward step runs
    OTHER = "other"  # a gradient changes, and no node's step did it
    STOPPED = "stopped"  # an exception, or no end
    END = "end"


@dataclass(frozen=True)
class Node:
    """One node of the graph, with what the engine has and what is right (None: nobody can say).

    `operands` are places in the list of nodes, in order, twice for `a * a`. Those in `unrecorded`
    are operands that the engine does not know of. `sign` is the operation in a few letters. A node
    is `lost` where the result does not know of it.
    """

    label: str
    sign: str
    role: Role
    operands: tuple[int, ...]
    value: Shown
    right_value: float | None
    gradient: Shown
    right_gradient: float | None
    wrong_value: bool = False
    wrong_gradient: bool = False
    unrecorded: tuple[int, ...] = ()
    lost: bool = False


@dataclass(frozen=True)
class Growth:
    """What one step does to the gradient of one node: `before`, `after`, and by how much it should
    grow: `slopes` times `upstream`.

    A node that is used twice by the same operation has two slopes. Without any, it is no operand,
    or nobody can say.
    """

    node: int
    before: Shown
    after: Shown
    slopes: tuple[float, ...] = ()
    upstream: float | None = None
    wrong: bool = False

    @property
    def share(self) -> float | None:
        """By how much it should grow."""
        if self.upstream is None or not self.slopes:
            return None
        return sum(slope * self.upstream for slope in self.slopes)

    @property
    def right(self) -> float | None:
        """What it should be afterwards."""
        if self.share is None or type(self.before) not in {int, float}:
            return None
        return float(self.before) + self.share  # type: ignore[arg-type]


@dataclass(frozen=True)
class Step:
    """One step: what happens, to which nodes, in a sentence; and what is wrong with it, each in a
    sentence.
    """

    kind: StepKind
    told: str
    node: int | None = None
    values: tuple[int, ...] = ()
    growths: tuple[Growth, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def wrong(self) -> bool:
        """Whether there is something to say against it."""
        return bool(self.problems)


@dataclass(frozen=True)
class Trace:
    """A graph and its two passes. `given` are the names with their numbers; `notes` what else there
    is to know.
    """

    title: str
    given: tuple[tuple[str, float], ...]
    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()

    @property
    def first_wrong(self) -> int | None:
        """The first step that is wrong."""
        return next((index for index, step in enumerate(self.steps) if step.wrong), None)

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.first_wrong is None
