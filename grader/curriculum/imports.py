"""Import the Python files of a course into this process, and say where they fail."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from grader.curriculum.model import Course
from grader.errors import EXHAUSTED, CourseError


@contextmanager
def files_of(course: Course) -> Iterator[None]:
    """Let Python import a course's vocabulary and shared files by name in this context: `from
    vocabulary import Learner`.

    They take precedence over installed modules with the same names, but never over Python's own.
    """
    finder = _Finder(course)
    elsewhere = {name: sys.modules.pop(name) for name in finder.files if name in sys.modules}
    byte_code = sys.dont_write_bytecode
    # byte code is up to date if its file has the same size and was saved in the same second, so it
    # would hide an author's quick edit
    sys.dont_write_bytecode |= not course.is_default or course.private is not None
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.dont_write_bytecode = byte_code
        _forget(course.folder)
        _forget(course.private)
        sys.modules.update(elsewhere)


class _Finder(MetaPathFinder):
    """Finds the files that a course lists, and nothing else in its folder."""

    def __init__(self, course: Course) -> None:
        self.files: Mapping[str, Path] = {
            Path(file).stem: course.folder / file
            for file in (course.vocabulary, *course.shared)
            if Path(file).stem not in sys.stdlib_module_names
        }

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return the spec of the course's file with that name, or None."""
        file = self.files.get(fullname)
        return spec_from_file_location(fullname, file) if file is not None else None


def _forget(folder: Path | None) -> None:
    """Remove the modules of a folder, because its files may be different next time."""
    below = f"{folder}{os.sep}"
    for name, module in list(sys.modules.items()) if folder else ():  # another thread may import
        if (getattr(module, "__file__", None) or "").startswith(below):
            del sys.modules[name]


def vocabulary_of(course: Course) -> ModuleType:
    """Return the vocabulary, imported inside `files_of`. Raise CourseError if that fails."""
    try:
        return importlib.import_module(Path(course.vocabulary).stem)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in EXHAUSTED:
            raise
        raise CourseError(
            f"{course.folder / course.vocabulary} cannot be imported:"
            f" {describe_error(error, course)}",
            "fix the error in that file",
        ) from error


def describe_error(error: BaseException, course: Course) -> str:
    """Describe an exception in one sentence, with the last course line in its traceback."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    folders = tuple(f"{folder}{os.sep}" for folder in (course.folder, course.private) if folder)
    lines = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(folders)
    ]
    place = f" (line {lines[-1].lineno} of {lines[-1].filename})" if lines else ""
    return ": ".join(filter(None, (type(error).__name__, str(error)))) + place
