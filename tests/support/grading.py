"""Grade many submissions in one process as a class is graded: what does not depend on a submission
is made once and shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.curriculum.load import load_course
from grader.judge.collected import Collected
from grader.judge.grade import Request, grade_request, select, select_swapped
from grader.judge.job import Caches
from grader.model import Report

COURSE = load_course()
CACHES = Caches(collected=Collected())


def grade(
    path: Path, phases: Sequence[str] | str = ("all",), *, swap: str = "", **options: Any
) -> Report:
    """Grade a submission of the built-in course, as `grader.grade` does."""
    asked = select(COURSE, (phases,) if isinstance(phases, str) else tuple(phases))
    request = Request(COURSE, asked, swap=select_swapped(COURSE, swap), caches=CACHES, **options)
    return grade_request(path, request).only(asked.checkpoints)
