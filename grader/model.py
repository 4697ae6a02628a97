"""Types that all of the grader shares: verdicts, faults, results and the report.

All values here are frozen. `grader.judge.grade` makes a report once, and every output format is a
pure function of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import PurePath
from typing import Union

from grader.conditions import Isolation

Shown = Union[float, int, bool, str, None]
"""A value as a report shows it: a number if it is one, otherwise text."""


class Verdict(str, Enum):
    """The verdict on one checkpoint."""

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
    """When learners see a checkpoint's result: always, after the due date, or never. The names are
    Gradescope's.
    """

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    HIDDEN = "hidden"

    def within(self, most: Visibility) -> bool:
        """Return whether a reader who may see everything up to `most` may see this."""
        order = list(Visibility)
        return order.index(self) <= order.index(most)

    @property
    def remark(self) -> str:
        """Return the remark for instructors; empty if everybody sees the result."""
        return {"after_due_date": "after the due date", "hidden": "hidden"}.get(self.value, "")


@dataclass(frozen=True)
class Frame:
    """A line of the learner's own code, such as one running when it raised, or the lines from there
    to the `last` one.

    `excerpt` holds them unchanged, and next to a single line another one, each with its number.
    """

    file: str
    line: int
    function: str
    source: str = ""
    excerpt: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    last: int = field(default=0, compare=False)

    def marks(self, number: int) -> bool:
        """Return whether a line of the excerpt is one of its lines, and not the one next to it."""
        return self.line <= number <= max(self.line, self.last)

    @property
    def place(self) -> str:
        """Return the line number, with the cell's name if it is in a notebook."""
        cell = f"{self.file}, " if self.file.startswith("cell ") else ""
        return f"{cell}line {self.line}"


@dataclass(frozen=True)
class Fault:
    """An exception, a time-out or another end without an answer. `stub` names the untouched stub
    that raised, if any; `meant` is the existing name most like one that does not exist.
    """

    kind: Kind
    type_name: str = ""
    types: tuple[str, ...] = ()
    message: str = ""
    frames: tuple[Frame, ...] = ()
    stub: str = ""
    meant: str = ""

    @property
    def place(self) -> str:
        """Return the last line, with its file if it differs from the one called first."""
        if not self.frames:
            return ""
        last = self.frames[-1]
        is_elsewhere = last.file != self.frames[0].file and last.file.endswith(".py")
        return f"{PurePath(last.file).name}:{last.line}" if is_elsewhere else last.place

    @property
    def told(self) -> str:
        """Return Python's message, with the name that may be meant."""
        return f"{self.message} (did you mean `{self.meant}`?)" if self.meant else self.message


ORDER = ("order", "seed", "backward")
"""Possible culprits when every operation is right on its own. `Diagnosis.blame` is one of these or
an operator.
"""


@dataclass(frozen=True)
class WrongNode:
    """The first wrong node and the operation to blame. `what` is its value or its gradient."""

    expression: str
    op: str
    got: Shown
    expected: Shown
    what: str


@dataclass(frozen=True)
class TreeNode:
    """A node of the failing graph, `depth` levels below the result, with its value and gradient in
    the learner's code and the right ones.

    `operands` are indices into the same list, one for each use.
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
    """A known mistake that gives exactly the learner's numbers. `hint` is the stage whose hints
    help, `checklist` the related checklist item. `sure` if the learner's source differs from the
    right one in the same way.
    """

    id: str
    title: str
    explanation: str
    hint: str = ""
    checklist: str = ""
    sure: bool = True


@dataclass(frozen=True)
class Proof:
    """A small change to the learner's own code that makes the failing check pass.

    `place` is the first of the `lines` that change, and `phase` the id of the phase if it then
    passes: as a `whole`, or except for checkpoints that were not started. `come` replaces the lines
    in `gone`. `only` means that nothing else differs from the reference's function, and `alike`
    that the new lines resemble its lines. `why` says what is wrong, if the change shows it. A large
    change has no `lines`, and only its place is of use.
    """

    place: Frame
    phase: str
    only: bool = False
    alike: bool = False
    gone: str = ""
    come: str = ""
    lines: tuple[int, ...] = ()
    whole: bool = True
    why: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """Why a checkpoint failed: a sentence, what is to blame (an operator, or `order`, `seed`,
    `backward`), and the evidence.

    It holds at most two misconceptions, if they cannot be told apart. `where` is the learner's line
    to blame if the operation is known. `proof` says which checks passed with the change `mend`. All
    fields are empty if nothing certain can be said.
    """

    why: str = ""
    blame: str = ""
    first_wrong: WrongNode | None = None
    misconceptions: tuple[Misconception, ...] = ()
    tree: tuple[TreeNode, ...] = ()
    where: Frame | None = None
    proof: str = ""
    mend: Proof | None = None


@dataclass(frozen=True)
class Ending:
    """How a check ended.

    `expected` and `got` come from the failing comparison, and `how` says how the expected value is
    known. `reproduce` holds Python lines that show the failure in the learner's own shell, `frames`
    the learner's own lines in the traceback, and `output` what their code printed (bounded,
    untrusted).
    """

    verdict: Verdict = Verdict.PASSED
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


@dataclass(frozen=True, kw_only=True)
class CheckResult(Ending):
    """The result of one checkpoint. `where` is the learner's own line to blame. A phase does not
    depend on a `bonus`.
    """

    id: str
    title: str
    points: int
    bonus: bool = False
    diagnosis: Diagnosis | None = None
    visibility: Visibility = Visibility.VISIBLE
    where: Frame | None = None

    @property
    def earned(self) -> int:
        """Return the points that this result earns."""
        return self.points if self.verdict is Verdict.PASSED else 0

    @property
    def waits_for(self) -> str:
        """Return the checkpoint that blocks it; an empty string if a missing package does, or
        nothing.
        """
        return self.blocked_by if "." in self.blocked_by else ""


@dataclass(frozen=True)
class PhaseResult:
    """The results of one phase, in the order of the course. `sha256` is the hash of the files it
    depends on.

    `functions` maps each function that the phase asks for to a short hash of the learner's version.
    `code` is one hash of all functions that the phase uses, with earlier phases and helpers.
    `regression` says what was edited since the phase last passed, if it did.
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
        """Return the points earned."""
        return sum(result.earned for result in self.checkpoints)

    @property
    def max_score(self) -> int:
        """Return the points that can be earned."""
        return sum(result.points for result in self.checkpoints)

    @property
    def done(self) -> bool:
        """Return whether everything except the bonus passes."""
        return all(
            result.verdict is Verdict.PASSED for result in self.checkpoints if not result.bonus
        )

    @property
    def shared(self) -> CheckResult | None:
        """Return the result that all checkpoints share, as when the file cannot be imported."""
        different = {
            (result.verdict, result.message, result.expected, result.got, result.reproduce)
            for result in self.checkpoints
        }
        first, *others = self.checkpoints
        is_shared = len(different) == 1 and others
        return first if is_shared and first.verdict in {Verdict.FAILED, Verdict.BLOCKED} else None


NOT_ALL = (
    "marks count more checkpoints than this report shows; its points count only the shown ones"
)


@dataclass(frozen=True)
class Report:
    """One grading: the submission, the conditions, every verdict. A secret seed is None."""

    version: str
    seed: int | None
    isolation: Isolation
    origin: str
    sha256: str
    phases: tuple[PhaseResult, ...]
    notes: tuple[str, ...] = field(default=())
    swapped: tuple[str, ...] = ()

    @property
    def checkpoints(self) -> tuple[CheckResult, ...]:
        """Return all results, phase by phase."""
        return tuple(result for phase in self.phases for result in phase.checkpoints)

    @property
    def score(self) -> int:
        """Return the points earned."""
        return sum(phase.score for phase in self.phases)

    @property
    def max_score(self) -> int:
        """Return the points that can be earned."""
        return sum(phase.max_score for phase in self.phases)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many checkpoints got each verdict. The counts add up to all results."""
        verdicts = [result.verdict for result in self.checkpoints]
        return {verdict.value: verdicts.count(verdict) for verdict in Verdict}

    def only(self, ids: Collection[str]) -> Report:
        """Return a report on these checkpoints alone, with only their points and counts."""
        chosen = (
            replace(phase, checkpoints=tuple(one for one in phase.checkpoints if one.id in ids))
            for phase in self.phases
        )
        return replace(self, phases=tuple(phase for phase in chosen if phase.checkpoints))

    def revealed(self, most: Visibility = Visibility.VISIBLE) -> Report:
        """Return the report for a reader who may see everything up to `most`. Other checkpoints and
        their points are left out, and a note says so.
        """
        shown = [result.id for result in self.checkpoints if result.visibility.within(most)]
        if len(shown) == len(self.checkpoints):
            return self
        return replace(self.only(shown), notes=(*self.notes, NOT_ALL))

    @property
    def exit_code(self) -> int:
        """Return 0 if all pass except a bonus, 1 if some fail, 3 if something was not judged."""
        if any(result.verdict is Verdict.ERROR for result in self.checkpoints):
            return 3
        return 0 if all(phase.done for phase in self.phases) else 1
