"""Suites that are collected once: nothing of one submission reaches the next."""

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
from grader.judge.collected import Collected
from grader.judge.grade import grade_submission
from grader.judge.job import Caches, Job

SUITE = '''\
import random
import re
from functools import cache, cached_property

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
    course, caches = load_course(folder), Caches(collected=Collected())
    submission, found = read_submission(course.solutions, course.files), []
    for _ in range(times):
        with ProcessHost() as host:
            job = Job(course, submission, host, caches=caches)
            (result,) = grade_submission(job, course.stages).checkpoints
        found.append(f"{result.verdict.value} {result.message}")
        between()
    return found


NO_LEAK = "1 / (not ({}))"  # an error if it was not new
LEAKS = {
    "a list": ("SEEN = []", "SEEN.append(1); " + NO_LEAK.format("len(SEEN) > 1"), ""),
    "a global": ("N = 0", "global N; N += 1; " + NO_LEAK.format("N > 1"), ""),
    "a default": (
        "def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)",
        NO_LEAK.format("f(1) > 1"),
        "",
    ),
    "a class": ("class C:\n    count = 0", "C.count += 1; " + NO_LEAK.format("C.count > 1"), ""),
    "a cache": (
        "@cache\ndef f(x):\n    return [x]",
        "f(1).append(1); " + NO_LEAK.format("len(f(1)) > 2"),
        "",
    ),
    "an iterator": ("NEXT = iter(range(5))", NO_LEAK.format("next(NEXT) > 0"), ""),
    "a random number": (
        "R = random.Random(1)\nFIRST = random.Random(1).random()",
        NO_LEAK.format("R.random() != FIRST"),
        "",
    ),
    "a vocabulary": (
        "import vocabulary",
        NO_LEAK.format("hasattr(vocabulary, 'mark')") + "; vocabulary.mark = 1",
        "",
    ),
    "a fixture of the session": (
        "@pytest.fixture(scope='session')\ndef seen():\n    return []",
        "seen.append(1); " + NO_LEAK.format("len(seen) > 1"),
        ", seen",
    ),
}


@pytest.mark.parametrize(("top", "body", "more"), LEAKS.values(), ids=LEAKS)
def test_state_that_one_run_leaves_in_a_suite_does_not_reach_the_next(
    folder: Path, top: str, body: str, more: str
) -> None:
    write(folder, top, f"learner.call('sums', 1.0); {body}", more)
    assert grades(folder, 3) == ["passed "] * 3


def test_a_suite_that_cannot_be_imported_is_reported_each_time(folder: Path) -> None:
    write(folder, "1 / 0", "pass")
    course, caches = load_course(folder), Caches(collected=Collected())
    submission = read_submission(course.solutions, course.files)
    for _ in range(2):
        with ProcessHost() as host, pytest.raises(CourseError, match="ZeroDivisionError"):
            grade_submission(Job(course, submission, host, caches=caches), course.stages)


def test_an_edited_suite_is_collected_again(folder: Path) -> None:
    check = "learner.expect(learner.call('sums', 1.0).reading(), {}, 'told')"
    write(folder, "", check.format("1.0"))
    edit = lambda: write(folder, "", check.format("2.0"))
    assert grades(folder, 2, edit) == ["passed ", "failed told"]
