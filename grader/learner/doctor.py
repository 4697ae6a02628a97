"""Check that everything needed for grading is here, and say how to fix any problem."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from grader.boundary.isolation import MOST
from grader.curriculum import packages
from grader.curriculum.model import Course
from grader.errors import GraderError
from grader.views.console import has_unicode


class Finding(NamedTuple):
    """The result of one check, with advice if something could be better or is bad."""

    subject: str
    message: str
    advice: str = ""
    is_bad: bool = False


def check_setup(course: Course, home: Path | None, console: Console) -> Iterator[Finding]:
    """Yield the results of all checks, the quick ones first."""
    python = f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    yield Finding("Python", python)
    yield from _packages(course)
    colours = "no colours" if console.no_color or not console.color_system else "colours"
    advice = "" if has_unicode(console) else "set PYTHONUTF8=1 or a UTF-8 locale to see all signs"
    yield Finding("terminal", f"{console.encoding}, {console.width} columns, {colours}", advice)
    if home is not None:
        yield _writing("your progress", home.resolve())
    yield _writing("temporary files", None)
    yield from _grading(course)


def _packages(course: Course) -> Iterator[Finding]:
    """Yield the versions of the kit's requirements, and which of its extensions lack a package."""
    requirements = importlib.metadata.requires(packages.DISTRIBUTION) or ()
    # the rest belong to extras
    names = [line.partition(">=")[0] for line in requirements if ";" not in line]
    versions = (f"{name} {importlib.metadata.version(name)}" for name in names)
    yield Finding("packages", ", ".join(versions))
    for stage in course.stages:
        if missing := packages.absent(stage.packages):
            yield Finding(stage.id, f"{stage.title} cannot be graded", packages.advice(missing))


def _writing(subject: str, folder: Path | None) -> Finding:
    """Write a file into this folder, or into the one for temporary files."""
    try:
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(b"x" * 4096)
    except OSError as error:
        message = f"cannot write{f' to {folder}' if folder else ''}: {error.strerror or error}"
        advice = "check its permissions and the free disk space, or set TMPDIR"
        return Finding(subject, message, advice, is_bad=True)
    return Finding(subject, f"{folder or tempfile.gettempdir()} is writable")


def _grading(course: Course) -> Iterator[Finding]:
    """Grade the first phase of the reference, or of the stubs in a copy for learners."""
    from grader.judge.grade import grade

    begun, stage = time.perf_counter(), course.stages[0].id
    try:
        what = course.solutions if course.solutions.is_dir() else course.exercises
        report = grade(what, [stage], course=course)
    except GraderError as error:
        yield Finding("grading", error.message, error.hint, is_bad=True)
        return
    seconds = time.perf_counter() - begun
    is_bad = report.exit_code == 3 or bool(report.exit_code and course.solutions.is_dir())
    broken = "the kit is broken, not your code; please report it with the output of grade doctor"
    passed = f"; {report.counts['passed']} of {len(report.checkpoints)} checkpoints pass"
    yield Finding(
        "grading", f"{stage} is graded in {seconds:.1f} s{passed}", broken * is_bad, is_bad
    )
    isolation = report.isolation
    missing = f"missing for a higher level: {'; '.join(isolation.missing)}"
    advice = f"{isolation.warning} {missing}".strip() if isolation.level < MOST - 1 else ""
    yield Finding("isolation", f"level {isolation.level}: {isolation.name}", advice)
