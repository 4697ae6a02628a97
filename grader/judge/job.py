"""Hold everything that the suites of one grading share, and make their sessions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.boundary.access_times import settle
from grader.boundary.isolation import MOST
from grader.boundary.transport import Host, Transport
from grader.curriculum.model import Checkpoint, Course, Stage
from grader.curriculum.private import load_course_with
from grader.intake.submission import Submission
from grader.judge.budget import Budget
from grader.judge.dialect import PLAIN
from grader.judge.memory import Memory
from grader.judge.session import Session
from grader.judge.swap import swap_in

if TYPE_CHECKING:
    from grader.intake.adapter import Adapter
    from grader.judge.evidence import Evidence, Reply
    from grader.model import CheckResult

DEFAULT_SEED = 20


@dataclass(frozen=True)
class Caches:
    """Data shared by all gradings of a course in one process.

    `drawn` holds the examples with their gradients, and `replies` the results of the known
    mistakes. Neither depends on a submission, so a process that grades many computes them once.
    """

    drawn: dict[Hashable, Any] = field(default_factory=dict)
    replies: dict[bytes, Reply] = field(default_factory=dict)


@cache
def load(folder: Path, suites: Path | None) -> tuple[Course, Caches]:
    """Return a course with these private suites and its caches, both made once per process."""
    return load_course_with(folder, suites), Caches()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of a grading.

    `seed` determines the examples. `isolation` is the highest isolation level to use, `required`
    the lowest to accept. `mirror` swaps the operands of + and *. The stages in `swap` come from the
    reference; with `isolate`, every stage before the graded one does, and the output of the code
    next to it is dropped unless `shows_output`. With `rest_is_right`, nothing in earlier stages can
    explain a failure, so they are not graded. With an `adapter`, the submission is an engine that
    was not written for this course. The code may import `packages` besides the packages of a stage.
    `tell` receives the title of each check when it begins, and `met` all results so far when it
    ends. `look` receives the evidence of failures. No reference replaces the functions in `kept`.
    The grading ends with the first checkpoint in `needed` that fails. For the first failures of at
    most `prove` phases, a small change that fixes it is searched for. Gradings that share `caches`
    share everything that does not depend on a submission, and the gradings of one submission may
    share a `budget`.
    """

    seed: int = DEFAULT_SEED
    isolation: int = MOST
    required: int = 0
    mirror: bool = False
    swap: tuple[Stage, ...] = ()
    isolate: bool = False
    packages: tuple[str, ...] = ()
    shows_output: bool = False
    rest_is_right: bool = False
    adapter: Adapter | None = None
    tell: Callable[[str], None] | None = None
    look: Callable[[Mapping[str, Evidence], Callable[[Stage], Session]], None] | None = None
    met: Callable[[Sequence[CheckResult]], None] | None = None
    kept: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    prove: int = 0
    caches: Caches = field(default_factory=Caches)
    budget: Budget | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Return the options as keywords."""
        return {each.name: getattr(self, each.name) for each in fields(Settings)}


@dataclass(frozen=True)
class Job(Settings):
    """One grading: the course, the submission, and the host that makes workers."""

    course: Course
    submission: Submission
    host: Host

    def swapped(self, stage: Stage) -> tuple[Stage, ...]:
        """Return the stages that come from the reference while this one is graded.

        A worker that knows a stage's reference must never grade that stage or an earlier one.
        """
        if self.adapter is not None:  # the reference's functions fit no other engine
            return ()
        if not self.isolate:
            return self.swap
        return self.course.before(stage)

    def own(self, stage: Stage, checkpoints: Iterable[Checkpoint]) -> frozenset[str]:
        """Return the functions that these checkpoints of a stage are about, if the reference could
        replace some of them; nothing if the stage itself comes from the reference.
        """
        swapped = self.swapped(stage)
        if not swapped or stage in swapped:
            return self.kept
        return self.kept.union(name for each in checkpoints for name in self.course.about(each))

    def session(
        self,
        stage: Stage,
        connect: Callable[[Sequence[str]], Transport],
        memory: Memory,
        kept: AbstractSet[str] = frozenset(),
    ) -> Session:
        """Return a session with the submission, for this stage's file. No reference replaces the
        functions in `kept`.

        With `isolate`, a stage does not know which functions hung in other stages.
        """
        course, adapter = self.course, self.adapter
        submission, patches = swap_in(self.submission, course, stage, self.swapped(stage), kept)
        file, names = stage.file, course.names(stage.file)
        module, dialect = stage.module, PLAIN
        required = {other.module for other in course.stages if not other.optional}
        needed = (name for name in course.modules_until(stage) if name in required)
        own = tuple(dict.fromkeys((*needed, module, *course.modules)))
        provided = (*stage.packages, *self.packages)
        if adapter is not None:
            from grader.judge.adapted import Adapted, place_of

            file, names = place_of(stage, adapter, course)
            module = adapter.module(file)
            own = tuple(
                dict.fromkeys(map(adapter.module, adapter.files)) if submission.is_notebook else ()
            )
            dialect = Adapted(adapter, course.require_graph(), module)
            provided += adapter.packages

        def connected(readable: Sequence[str]) -> Transport:
            if self.swapped(stage):
                settle(readable)
            return connect(readable)

        return Session(
            connected,
            submission,
            module,
            names,
            own,
            memory.without_refusals() if self.isolate else memory,
            provided,
            patches,
            dialect,
        )
