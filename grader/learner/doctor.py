"""Check whether everything that grading needs is here, and say how to fix what is not."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from grader.boundary.isolation import MOST
from grader.curriculum import packages
from grader.curriculum.model import Course
from grader.errors import GraderError
from grader.learner.progress import FOLDER
from grader.model import Isolation

_KIT = __name__.partition(".")[0]
OLDEST = (3, 10)
SLOW_SECONDS = 10.0
CLOCK_SECONDS = 5.0
EARLIEST = 1_704_067_200  # 1 January 2024


class Finding(NamedTuple):
    """The result of one check: `fine`, `worse` than it could be, or `bad`, with advice."""

    state: str
    subject: str
    message: str
    advice: str = ""


def check_setup(course: Course, home: Path | None, console: Console) -> Iterator[Finding]:
    """Yield the results of all checks, the quick ones first."""
    yield _python()
    yield from _packages(course)
    yield _terminal(console)
    yield from _files(course, home)
    yield _clock()
    yield from _grading(course)


def _python() -> Finding:
    message = f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    if sys.version_info < OLDEST:
        return Finding("bad", "Python", message, "install Python 3.10 or newer")
    return Finding("fine", "Python", message)


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version as comparable numbers, without a suffix such as `rc1`."""
    return tuple(int(part) for part in re.findall(r"\d+", re.match(r"[\d.]*", version)[0]))  # type: ignore[index] # the pattern matches an empty text too


def _packages(course: Course) -> Iterator[Finding]:
    """Check the kit's requirements, and those of its extensions."""
    try:
        needed = importlib.metadata.requires(packages.DISTRIBUTION) or ()
    except importlib.metadata.PackageNotFoundError:
        message = "the kit runs from its folder without being installed"
        yield Finding("worse", "packages", message, packages.install_command(["."]))
        return
    if (other := packages.in_the_way()) is not None:
        yield Finding("bad", "packages", *other)
    found = []
    for requirement in needed:
        wanted, _, marker = requirement.partition(";")
        name, _, least = wanted.strip().partition(">=")
        version = _version(name)
        if "extra" in marker or (marker and not version):  # or for a different Python
            continue
        if not version or _numbers(version) < _numbers(least):
            problem = f"{version} is too old" if version else "is not installed"
            install = packages.install_command([wanted.strip()])
            yield Finding("bad", "packages", f"{name} {problem}", install)
        if version:
            found.append(f"{name} {version}")
    yield Finding("fine", "packages", ", ".join(found))
    for stage in course.stages:
        if missing := packages.absent(stage.packages):
            message = f"{stage.title} cannot be graded"
            yield Finding("worse", stage.id, message, packages.advice(missing))


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _terminal(console: Console) -> Finding:
    has_colours = console.color_system is not None and not console.no_color
    encoding, width = console.encoding, console.width
    colour = "colours" if has_colours else "no colours"
    elsewhere = "" if console.is_terminal else " (output goes to a file or another program)"
    message, state, advice = f"{encoding}, {width} columns, {colour}{elsewhere}", "fine", ""
    if not encoding.lower().startswith("utf"):
        state = "worse"
        advice = (
            "signs are replaced by plain letters; set PYTHONUTF8=1 or a UTF-8 locale to see them"
        )
    elif width < 60:
        state = "worse"
        advice = "make the window wider; reports read best at 80 columns or more"
    return Finding(state, "terminal", message, advice)


def _files(course: Course, home: Path | None) -> Iterator[Finding]:
    if home is None and (notebook := next(Path().glob("*.ipynb"), None)):
        yield Finding("fine", "your code", f"a notebook: {notebook}")
    elif home is None:
        message = f"there is no {course.files[0]} here"
        advice = "go to its folder, or start a new one: grade init my-engine"
        yield Finding("worse", "your code", message, advice)
    else:
        yield Finding("fine", "your code", f"{home.resolve()}")
    yield from _taken_names(home or Path())
    if home is not None:
        yield _writing("your progress", home.resolve(), FOLDER)
    yield _temporary()


def _temporary() -> Finding:
    subject = "temporary files"
    try:
        return _writing(subject, Path(tempfile.gettempdir()))
    except FileNotFoundError:
        message = "there is no folder for temporary files that you can write to"
        return Finding("bad", subject, message, "set TMPDIR to the path of one")


def _writing(subject: str, folder: Path, inside: str = "") -> Finding:
    if problem := _unwritable(folder, inside):
        message = f"cannot write to {folder}: {problem}"
        return Finding("bad", subject, message, "check its permissions and the free disk space")
    return Finding("fine", subject, f"{folder / inside} is writable")


def _taken_names(folder: Path) -> Iterator[Finding]:
    """Yield a finding for each file that hides a module of Python's, or the kit itself."""
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


def _unwritable(folder: Path, inside: str) -> str:
    where = folder / inside if inside and (folder / inside).is_dir() else folder
    try:
        with tempfile.TemporaryFile(dir=where) as stream:
            stream.write(b"x" * 4096)
            stream.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _clock() -> Finding:
    """Check that the date is plausible, and that files get the clock's time."""
    before = stamp = time.time()
    with suppress(OSError), tempfile.NamedTemporaryFile() as stream:
        stamp = os.stat(stream.name).st_mtime  # noqa: PTH116 - a name, not a Path
    apart = abs(stamp - before)
    message = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(before))
    if before < EARLIEST:
        advice = "set the date, because saved code and reports show it"
        return Finding("worse", "clock", message, advice)
    if apart > CLOCK_SECONDS:
        message = f"{message}; file times are off by {apart:.0f} s"
        return Finding("worse", "clock", message, "grade watch may miss a save")
    return Finding("fine", "clock", message)


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
    state, advice = "fine", ""
    if report.exit_code == 3 or (report.exit_code and course.has_solutions):
        state = "bad"
        advice = (
            "the kit is broken, not your code; please report it with the output of grade doctor"
        )
    elif seconds > SLOW_SECONDS:
        state = "worse"
        advice = "a virus scanner, a network drive or a busy machine may be slowing it down"
    yield Finding(state, "grading", message, advice)
    yield _isolation(report.isolation)


def _isolation(isolation: Isolation) -> Finding:
    state = "fine" if isolation.level >= MOST - 1 else "worse"
    missing = "; ".join(isolation.missing) if state != "fine" else ""
    advice = f"missing for a higher level: {missing}" if missing else ""
    message = f"level {isolation.level}: {isolation.name}"
    return Finding(state, "isolation", message, f"{isolation.warning} {advice}".strip())
