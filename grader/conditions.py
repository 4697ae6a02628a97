"""What all suites of one grading have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.courses import Course
from grader.host import Transport
from grader.submission import Submission

DEFAULT_SEED = 20


@dataclass(frozen=True)
class Conditions:
    """The course, the submission, how to get a worker for it, the seed of the examples, whether + and * are mirrored.

    The time for the whole submission is taken by `clock`. A worker may be asked for that reads some files and folders besides the standard library.
    """

    course: Course
    submission: Submission
    connect: Callable[[Sequence[str]], Transport]
    seed: int = DEFAULT_SEED
    mirror: bool = False
    clock: Callable[[], float] = time.monotonic
