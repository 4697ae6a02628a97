"""One pytest run for each submission: nothing of one reaches the next."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.authoring.scaffold import write_stage
from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.errors import CourseError
from grader.intake.read import read_submission
from grader.judge.grade import grade_submission
from grader.judge.job import Caches, Job

SUITE = '''\
import pytest
from vocabulary import Learner

{top}

def test_twice(learner: Learner{more}) -> None:
    """A title"""
    {body}
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_stage(tmp_path / "mine", "sums")
    (tmp_path / "mine/solutions/work.py").write_text("def sums(x):\n    return x\n", "utf-8")
    return tmp_path / "mine"


def write(folder: Path, top: str, body: str, more: str = "") -> None:
    """Write the suite, and as if that had been a minute ago."""
    file = folder / "sums" / "suite.py"
    file.write_text(SUITE.format(top=top, body=body, more=more), encoding="utf-8")
    os.utime(file, (time.time() - 60,) * 2)


def grades(folder: Path, times: int, between: Callable[[], None] = lambda: None) -> list[str]:
    """Grade the solution this often with the same caches. Return the verdicts and messages."""
    course, caches, found = load_course(folder), Caches(), []
    submission = read_submission(course.solutions, course.files)
    for _ in range(times):
        with ProcessHost() as host:
            job = Job(course, submission, host, caches=caches)
            (result,) = grade_submission(job, course.stages).checkpoints
        found.append(f"{result.verdict.value} {result.message}")
        between()
    return found


LEAKS = {
    "a global": ("N = 0", "global N; N += 1; 1 / (N == 1)", ""),
    "a vocabulary": (
        "import vocabulary",
        "1 / (not hasattr(vocabulary, 'mark')); vocabulary.mark = 1",
        "",
    ),
    "a fixture of the session": (
        "@pytest.fixture(scope='session')\ndef seen():\n    return []",
        "seen.append(1); 1 / (len(seen) == 1)",
        ", seen",
    ),
}


@pytest.mark.parametrize(("top", "body", "more"), LEAKS.values(), ids=LEAKS)
def test_state_that_one_run_leaves_in_a_suite_does_not_reach_the_next(
    folder: Path, top: str, body: str, more: str
) -> None:
    write(folder, top, f"learner.call('sums', 1.0); {body}", more)
    assert grades(folder, 2) == ["passed ", "passed "]


def test_a_suite_that_cannot_be_imported_is_reported_each_time(folder: Path) -> None:
    write(folder, "1 / 0", "pass")
    for _ in range(2):
        with pytest.raises(CourseError, match="ZeroDivisionError"):
            grades(folder, 1)


def test_an_edited_suite_is_read_again(folder: Path) -> None:
    check = "learner.expect(learner.call('sums', 1.0).reading(), {}, 'told')"
    write(folder, "", check.format("1.0"))
    edit = lambda: write(folder, "", check.format("2.0"))
    assert grades(folder, 2, edit) == ["passed ", "failed told"]


@pytest.mark.parametrize("ends", ["raise KeyboardInterrupt", "pytest.exit('enough')"])
def test_an_interruption_ends_the_grading(folder: Path, ends: str) -> None:
    write(folder, "", ends)
    with pytest.raises(KeyboardInterrupt):
        grades(folder, 1)
