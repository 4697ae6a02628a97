"""The Python files of a course, which run in this process: its vocabulary and its suites can be
imported, and told apart when they fail.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from grader.curriculum.model import DEFAULT_COURSE, Course
from grader.errors import CourseError


@contextmanager
def modules_of(course: Course) -> Iterator[ModuleType]:
    """The course's vocabulary. While this lasts, suites can import the files beside it. Raises
    CourseError for one that cannot be imported.
    """
    stem = Path(course.vocabulary).stem
    with files_of(course):
        if course.folder == DEFAULT_COURSE:  # part of this package
            yield importlib.import_module(f"grader.{course.folder.name}.{stem}")
        else:
            yield _vocabulary(course, stem)


@contextmanager
def files_of(course: Course) -> Iterator[None]:
    """While this lasts, the files beside a course's vocabulary can be imported by their names:
    `from vocabulary import Learner`.

    Afterwards these names are free again, for the next course.
    """
    if course.folder == DEFAULT_COURSE:
        try:
            yield
        finally:
            _forget(course.private)
        return
    sys.path.append(
        str(course.folder)
    )  # at the end: nothing of Python's own is hidden by a file of a course
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(course.folder))
        _forget(course.folder)
        _forget(course.private)


def _forget(folder: Path | None) -> None:
    """Take what was imported from a folder out of memory: its files may be others the next time."""
    for name in [
        name
        for name, module in sys.modules.items()
        if _is_in(folder, getattr(module, "__file__", None))
    ]:
        del sys.modules[name]


def _vocabulary(course: Course, stem: str) -> ModuleType:
    try:
        module = importlib.import_module(stem)
    except Exception as error:
        raise CourseError(
            f"{course.folder / course.vocabulary} cannot be imported: {told(error, course)}",
            "mend it",
        ) from error
    if not _is_in(course.folder, module.__file__):
        raise CourseError(
            f"there is another module called {stem!r}: {module.__file__}",
            f"rename {course.folder / course.vocabulary}",
        )
    return module


def _is_in(folder: Path | None, file: str | None) -> bool:
    return folder is not None and file is not None and Path(file).is_relative_to(folder)


def told(error: BaseException, course: Course) -> str:
    """An exception in a sentence, with the last line of the course that it came through."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    lines = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if _is_in(course.folder, frame.filename) or _is_in(course.private, frame.filename)
    ]
    place = f" (line {lines[-1].lineno} of {lines[-1].filename})" if lines else ""
    return f"{type(error).__name__}: {error}{place}"
