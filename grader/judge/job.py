"""What all suites of one grading have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grader.boundary.transport import Host
from grader.curriculum.model import Course, Stage
from grader.intake.adapter import Adapter
from grader.intake.submission import Submission
from grader.judge.prepared import Prepared

if TYPE_CHECKING:
    from grader.judge.diagnosis.evidence import Reply

DEFAULT_SEED = 20


@dataclass(frozen=True)
class Caches:
    """What one grading of a course leaves to the next in the same process: the `prepared` scripts,
    and the `replies` of its known mistakes. Nothing in here depends on a submission.
    """

    prepared: Prepared = field(default_factory=Prepared)
    replies: dict[bytes, Reply] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """The course, the submission, the host that makes workers, the seed of the examples, whether +
    and * are mirrored.

    The stages in `swap` are the reference's; `isolate` swaps, for each stage, all others. With
    an `adapter` the submission is an engine that was not written for this course. `tell` is called
    with the title of each check when it begins. `caches` may be shared by all jobs of a course.
    """

    course: Course
    submission: Submission
    host: Host
    seed: int = DEFAULT_SEED
    mirror: bool = False
    swap: tuple[Stage, ...] = ()
    isolate: bool = False
    adapter: Adapter | None = None
    tell: Callable[[str], None] | None = None
    caches: Caches = field(default_factory=Caches)

    def swapped(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages that are the reference's while this one is judged."""
        return (
            tuple(other for other in self.course.stages if other != stage)
            if self.isolate
            else self.swap
        )
