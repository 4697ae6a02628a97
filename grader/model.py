"""The words that every part of the grader shares: verdicts, faults, results, the report.

Everything here is a frozen value. A report is made once, by `grader.judge.grade`, and every output
is a pure function of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, Union

Shown = Union[float, int, bool, str, None]
"""A value as a report shows it: a number where there is one, text otherwise."""


class Verdict(str, Enum):
    """What became of one checkpoint."""

    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"
    NOT_STARTED = "not_started"
    ERROR = "error"


class Kind(str, Enum):
    """How a checkpoint failed."""

    WRONG_VALUE = "wrong_value"
    RAISED = "raised"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    EXITED = "exited"
    CRASHED = "crashed"
    BAD_TYPE = "bad_type"
    MISSING_NAME = "missing_name"
    SYNTAX = "syntax"


class Visibility(Enum):
    """When learners see what became of a checkpoint: always, after the due date, never. The words
    are Gradescope's.
    """

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    HIDDEN = "hidden"

    def within(self, most: Visibility) -> bool:
        """Whether what has this visibility is shown where everything up to `most` is."""
        order = list(Visibility)
        return order.index(self) <= order.index(most)

    @property
    def told(self) -> str:
        """What an instructor reads beside the title; nothing where everybody sees it."""
        return {Visibility.AFTER_DUE_DATE: "after the due date", Visibility.HIDDEN: "hidden"}.get(
            self, ""
        )


@dataclass(frozen=True)
class Frame:
    """A line of the learner's own code that was running when it raised."""

    file: str
    line: int
    function: str
    source: str = ""

    @property
    def place(self) -> str:
        """The line, and of which cell where it is one of a notebook."""
        return (
            f"{self.file}, line {self.line}"
            if self.file.startswith("cell ")
            else f"line {self.line}"
        )


@dataclass(frozen=True)
class Fault:
    """What the learner's code did instead of answering. `stub` names the untouched stub that
    raised, if one did.
    """

    kind: Kind
    type_name: str = ""
    types: tuple[str, ...] = ()
    message: str = ""
    frames: tuple[Frame, ...] = ()
    stub: str = ""


ORDER = ("order", "seed", "backward")
"""What is to blame when every operation is right by itself: words beside the operators."""


@dataclass(frozen=True)
class WrongNode:
    """The first node that is wrong, and the operation to blame for it; `what` is wrong, its value
    or its gradient.
    """

    expression: str
    op: str
    got: Shown
    expected: Shown
    what: str


@dataclass(frozen=True)
class TreeNode:
    """A node of the failing graph, `depth` below the result: its value and gradient as the
    learner's code has them, and the right ones.

    Its `operands` are places in the same list, one for each use.
    """

    depth: int
    expression: str
    value: Shown
    gradient: Shown
    right_value: Shown
    right_gradient: Shown
    first_wrong: bool = False
    blamed: bool = False
    operands: tuple[int, ...] = ()


@dataclass(frozen=True)
class Misconception:
    """A known mistake that gives exactly the learner's numbers; the stage whose hints and the
    checklist item that it leads to.
    """

    id: str
    title: str
    explanation: str
    hint: str = ""
    checklist: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """Why a checkpoint failed: a sentence, what is to blame (an operator, or `order`, `seed`,
    `backward`), and the evidence.

    At most two misconceptions, which cannot be told apart. All of it is empty where nothing can be
    said that is sure.
    """

    why: str = ""
    blame: str = ""
    first_wrong: WrongNode | None = None
    misconceptions: tuple[Misconception, ...] = ()
    tree: tuple[TreeNode, ...] = ()


@dataclass(frozen=True)
class CheckResult:
    """The outcome of one checkpoint.

    `expected` and `got` are what the failing comparison compared, `how` the way in which the former
    is known, `reproduce` the Python lines that show the failure in the learner's own shell,
    `frames` the learner's own traceback, `output` what their code printed (bounded, untrusted).
    """

    id: str
    title: str
    verdict: Verdict
    points: int
    bonus: bool = False
    kind: Kind | None = None
    message: str = ""
    expected: Shown = None
    got: Shown = None
    reproduce: str = ""
    how: str = ""
    blocked_by: str = ""
    frames: tuple[Frame, ...] = ()
    output: str = ""
    duration_s: float = 0.0
    diagnosis: Diagnosis | None = None
    visibility: Visibility = Visibility.VISIBLE

    @property
    def earned(self) -> int:
        """The points that this result earns."""
        return self.points if self.verdict is Verdict.PASSED else 0

    @property
    def counts(self) -> bool:
        """Whether the result decides if the phase is done: a bonus never does."""
        return not self.bonus

    @property
    def wants_package(self) -> bool:
        """Whether it is blocked by a package that is not installed beside the judge, and by no
        checkpoint.
        """
        return (
            self.verdict is Verdict.BLOCKED and bool(self.blocked_by) and "." not in self.blocked_by
        )


@dataclass(frozen=True)
class PhaseResult:
    """The results of one phase, in the order of the course; `sha256` of the files that it stands
    on.

    `functions` has a short hash of each function that the phase asks for, as the learner wrote it,
    and `code` is one hash of all functions that it uses, earlier phases' and helpers too;
    `regression` says what was edited since the phase passed, if it did once.
    """

    id: str
    title: str
    checkpoints: tuple[CheckResult, ...]
    sha256: str = ""
    functions: Mapping[str, str] = field(default_factory=dict)
    regression: str = ""
    code: str = ""

    @property
    def score(self) -> int:
        """The points earned."""
        return sum(result.earned for result in self.checkpoints)

    @property
    def max_score(self) -> int:
        """The points that can be earned."""
        return sum(result.points for result in self.checkpoints)

    @property
    def done(self) -> bool:
        """Whether everything but the bonus passes."""
        return all(result.verdict is Verdict.PASSED for result in self.checkpoints if result.counts)


@dataclass(frozen=True)
class Isolation:
    """How far the worker is walled off: the level, by which mechanisms, and what is missing for the
    next one.
    """

    level: int
    mechanisms: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The level in words."""
        return ("own process", "own process with limits", "sandbox", "sandbox and another user")[
            self.level
        ]

    @property
    def warning(self) -> str:
        """What it does not protect, in a sentence; nothing to say from level 2 on."""
        if self.level > 1:
            return ""
        more = "use up this machine's memory, leave processes behind, " if self.level < 1 else ""
        return (
            f"right for honest code, but hostile code could {more}read this machine's files, use"
            " its network or disturb the grader: give no marks by it"
        )


class Work(NamedTuple):
    """How much was asked of the learner's code: objects and results that it made, and how often
    each attribute was read as a number.
    """

    made: int = 0
    read: Mapping[str, int] = MappingProxyType({})


NOT_ALL = (
    "marks come from more checkpoints than are shown here; points are those of the ones that are"
)


@dataclass(frozen=True)
class Report:
    """One grading: what was graded, under which conditions, and every verdict. A seed that is
    secret is None.
    """

    version: str
    seed: int | None
    isolation: Isolation
    origin: str
    sha256: str
    phases: tuple[PhaseResult, ...]
    notes: tuple[str, ...] = field(default=())
    swapped: tuple[str, ...] = ()
    work: Work = field(default_factory=Work)

    @property
    def checkpoints(self) -> tuple[CheckResult, ...]:
        """All results, phase after phase."""
        return tuple(result for phase in self.phases for result in phase.checkpoints)

    @property
    def score(self) -> int:
        """The points earned."""
        return sum(phase.score for phase in self.phases)

    @property
    def max_score(self) -> int:
        """The points that can be earned."""
        return sum(phase.max_score for phase in self.phases)

    @property
    def counts(self) -> dict[str, int]:
        """How many checkpoints got each verdict; they add up to all that were asked for."""
        verdicts = [result.verdict for result in self.checkpoints]
        return {verdict.value: verdicts.count(verdict) for verdict in Verdict}

    def only(self, ids: Collection[str]) -> Report:
        """The report on these checkpoints alone: points and counts are theirs."""
        chosen = [
            (phase, tuple(result for result in phase.checkpoints if result.id in ids))
            for phase in self.phases
        ]
        return replace(
            self,
            phases=tuple(
                replace(phase, checkpoints=results) for phase, results in chosen if results
            ),
        )

    def revealed(self, most: Visibility = Visibility.VISIBLE) -> Report:
        """What somebody may read who sees everything up to `most`: the rest is left out, with its
        points, and a note says so.
        """
        shown = [result.id for result in self.checkpoints if result.visibility.within(most)]
        if len(shown) == len(self.checkpoints):
            return self
        return replace(self.only(shown), notes=(*self.notes, NOT_ALL))

    @property
    def exit_code(self) -> int:
        """0: all pass (a bonus may fail), 1: some do not, 3: some could not be judged, which is our
        fault.
        """
        if any(result.verdict is Verdict.ERROR for result in self.checkpoints):
            return 3
        return 0 if all(phase.done for phase in self.phases) else 1
