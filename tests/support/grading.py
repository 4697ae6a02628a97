"""Grade many submissions in one process as a class is graded: what does not depend on a submission
is made once and shared.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.curriculum.model import Course
from grader.intake.read import read_submission
from grader.judge.grade import Request, grade_request, select, select_swapped
from grader.judge.graded import UNEXPLAINED
from grader.judge.job import Caches, Job
from grader.judge.plugin import run_suites
from grader.judge.results import results_of
from grader.model import CheckResult, Report, Verdict
from grader.views.terminal import print_report

COURSE = load_course()
CACHES = Caches()


def grade(
    path: str | Path,
    phases: Sequence[str] | str = ("all",),
    *,
    swap: str = "",
    course: Course = COURSE,
    **options: Any,
) -> Report:
    """Grade a submission as `grader.grade` does, with shared caches if the course is built in."""
    asked = select(course, (phases,) if isinstance(phases, str) else tuple(phases))
    caches = CACHES if course is COURSE else Caches()
    request = Request(course, asked, swap=select_swapped(course, swap), caches=caches, **options)
    report = grade_request(path, request)
    assert not [note for note in report.notes if UNEXPLAINED in note]
    return report.only(asked.checkpoints)


def check(path: str | Path, checkpoint: str) -> CheckResult:
    """Grade a single checkpoint, without the rest of its phase and without a diagnosis."""
    stage = COURSE.stage_of(checkpoint)
    host = ProcessHost(str(stage.suite))
    job = Job(COURSE, read_submission(path, COURSE.files), host, caches=CACHES)
    return results_of(job, run_suites(job, (stage,), only={checkpoint}).outcomes)[checkpoint]


def printed(report: Report, width: int = 80, **options: Any) -> str:
    """Return what a screen of this width shows of a report."""
    out = io.StringIO()
    print_report(report, Console(file=out, width=width, highlight=False), **options)
    return out.getvalue()


def by_id(report: Report) -> dict[str, CheckResult]:
    """Return the results of the checkpoints, by their ids."""
    return {result.id: result for result in report.checkpoints}


def unpassed(report: Report) -> dict[str, tuple[str, str]]:
    """Return the verdict and the message of every checkpoint that is not passed."""
    return {
        id: (result.verdict.value, result.message)
        for id, result in by_id(report).items()
        if result.verdict is not Verdict.PASSED
    }
