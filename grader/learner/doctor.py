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
from grader.learner.progress import FOLDER
from grader.views.console import has_unicode

_KIT = __name__.partition(".")[0]
SLOW_SECONDS = 10.0
EARLIEST = 1_704_067_200  # 1 January 2024


class Finding(NamedTuple):
    """The result of one check: `fine`, `worse` than it could be, or `bad`, with advice."""

    state: str
    subject: str
    message: str
    advice: str = ""


def check_setup(course: Course, home: Path | None, console: Console) -> Iterator[Finding]:
    """Yield the results of all checks, the quick ones first."""
    python = f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    yield Finding("fine", "Python", python)
    yield from _packages(course)
    yield _terminal(console)
    yield from _files(course, home)
    now = time.strftime("%Y-%m-%d %H:%M:%S %Z")
    if time.time() < EARLIEST:
        yield Finding("worse", "clock", now, "set the date, because reports show it")
    else:
        yield Finding("fine", "clock", now)
    yield from _grading(course)


def _packages(course: Course) -> Iterator[Finding]:
    """Check the requirements of the kit and of its extensions."""
    try:
        needed = importlib.metadata.requires(packages.DISTRIBUTION) or ()
    except importlib.metadata.PackageNotFoundError:
        message = "the kit runs from its folder without being installed"
        yield Finding("worse", "packages", message, packages.install_command(["."]))
        return
    found = []
    for requirement in (line for line in needed if ";" not in line):  # the rest belong to extras
        name = requirement.partition(">=")[0]
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            install = packages.install_command([requirement])
            yield Finding("bad", "packages", f"{name} is not installed", install)
    yield Finding("fine", "packages", ", ".join(found))
    for stage in course.stages:
        if missing := packages.absent(stage.packages):
            message = f"{stage.title} cannot be graded"
            yield Finding("worse", stage.id, message, packages.advice(missing))


def _terminal(console: Console) -> Finding:
    colours = "no colours" if console.no_color or not console.color_system else "colours"
    message = f"{console.encoding}, {console.width} columns, {colours}"
    advice = ""
    if not has_unicode(console):
        advice = (
            "signs are replaced by plain letters; set PYTHONUTF8=1 or a UTF-8 locale to see them"
        )
    elif console.width < 60:
        advice = "make the window wider; reports read best at 80 columns or more"
    return Finding("worse" if advice else "fine", "terminal", message, advice)


def _files(course: Course, home: Path | None) -> Iterator[Finding]:
    notebook = next(Path().glob("*.ipynb"), None)
    if home is not None:
        yield Finding("fine", "your code", f"{home.resolve()}")
        kept = home.resolve() / FOLDER
        yield _writing("your progress", kept if kept.is_dir() else kept.parent)
    elif notebook:
        yield Finding("fine", "your code", f"a notebook: {notebook}")
    else:
        message = f"there is no {course.files[0]} here"
        advice = "go to its folder, or start a new one: grade init my-engine"
        yield Finding("worse", "your code", message, advice)
    yield from _taken_names(home or Path())
    yield _writing("temporary files", None)


def _writing(subject: str, folder: Path | None) -> Finding:
    """Write a file into this folder, or into the one for temporary files."""
    try:
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(b"x" * 4096)
            stream.flush()
    except OSError as error:
        message = f"cannot write{f' to {folder}' if folder else ''}: {error.strerror or error}"
        advice = "check its permissions and the free disk space"
        return Finding("bad", subject, message, advice if folder else f"{advice}, or set TMPDIR")
    return Finding("fine", subject, f"{folder or tempfile.gettempdir()} is writable")


def _taken_names(folder: Path) -> Iterator[Finding]:
    """Yield a finding for each file that hides one of Python's modules, or the kit itself."""
    for entry in sorted(folder.glob("*")):
        name, is_file = entry.stem, entry.suffix == ".py"
        if name == _KIT and (is_file or (entry / "__init__.py").is_file()):
            message = f"{entry.name} has the name of the kit's own package"
            advice = f"rename it, because `%load_ext {name}` and `python -m {name}` here find yours"
            yield Finding("worse", "your code", message, advice)
        elif is_file and name in sys.stdlib_module_names:
            message = f"{entry.name} has the name of one of Python's own modules"
            advice = f"rename it, because outside the grader `import {name}` may import yours"
            yield Finding("worse", "your code", message, advice)


def _grading(course: Course) -> Iterator[Finding]:
    """Grade the first phase of the reference, or of the stubs in a copy for learners."""
    from grader.judge.grade import grade

    begun = time.perf_counter()
    try:
        what = course.solutions if course.has_solutions else course.exercises
        report = grade(what, [course.stages[0].id], course=course)
    except GraderError as error:
        yield Finding("bad", "grading", error.message, error.hint)
        return
    seconds = time.perf_counter() - begun
    passed, asked = report.counts["passed"], len(report.checkpoints)
    message = f"{course.stages[0].id} is graded in {seconds:.1f} s"
    if course.has_solutions:
        message += f"; the reference passes {passed} of {asked} checkpoints"
    if report.exit_code == 3 or (report.exit_code and course.has_solutions):
        advice = (
            "the kit is broken, not your code; please report it with the output of grade doctor"
        )
        yield Finding("bad", "grading", message, advice)
    elif seconds > SLOW_SECONDS:
        advice = "a virus scanner, a network drive or a busy machine may be slowing it down"
        yield Finding("worse", "grading", message, advice)
    else:
        yield Finding("fine", "grading", message)
    isolation = report.isolation
    advice = isolation.warning
    if isolation.level < MOST - 1 and isolation.missing:
        advice = f"{advice} missing for a higher level: {'; '.join(isolation.missing)}".strip()
    state = "fine" if isolation.level >= MOST - 1 else "worse"
    yield Finding(state, "isolation", f"level {isolation.level}: {isolation.name}", advice)
