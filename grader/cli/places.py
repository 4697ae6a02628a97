"""Find the course and the learner's own code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.hosting import current_page
from grader.errors import SubmissionError

if TYPE_CHECKING:
    from grader.curriculum.model import Course

EXERCISES = "exercises"
VARIABLE = "GRADE_COURSE"
SEED_VARIABLE = "GRADE_SECRET_SEED"


def load(folder: str | None, suites: str | None) -> Course:
    """Return a course, with private suites if there are any. Raise UsageError or CourseError."""
    from grader.curriculum.load import load_course
    from grader.curriculum.model import DEFAULT_COURSE

    chosen, page = Path(folder or DEFAULT_COURSE), current_page()
    if page is not None and page.course.folder == chosen and not suites:
        return page.course
    if not suites:
        return load_course(chosen)
    from grader.curriculum.private import load_course_with

    return load_course_with(chosen, Path(suites))


def own_home(course: Course) -> Path:
    """Return the folder with the learner's own code. Raise SubmissionError if there is none."""
    for where in (EXERCISES, "."):
        if os.path.exists(Path(where, course.files[0])):  # noqa: PTH110 - Path.exists raises if access is denied
            return Path(where)
    raise SubmissionError(
        f"there is no {course.files[0]} in this folder or in {EXERCISES}/", _advice(course)
    )


def find_home(course: Course) -> Path | None:
    """Return the folder with the learner's progress, or None if their code is not nearby."""
    with suppress(SubmissionError):
        return own_home(course)
    return None


def locate(course: Course, path: str | None) -> tuple[str, Path | None]:
    """Return the path to grade and, if `path` is not set, the folder of the learner's progress."""
    if path is not None:
        return path, None
    home = own_home(course)
    return str(home), home


def _advice(course: Course) -> str:
    """Say where the learner's code seems to be, or how to begin."""
    from grader.curriculum.packages import for_shell
    from grader.intake.choose import is_like

    first = course.files[0]
    near = next((folder for folder in _near() if os.path.isfile(folder / first)), None)  # noqa: PTH113 - as above
    if near is not None:
        return f"cd {for_shell(str(near))}"
    with suppress(OSError):
        for file in sorted(Path().iterdir()):
            if is_like(file.name.removesuffix(".txt"), first):
                return f"rename {file.name} to {first}"
    if (notebook := next(iter(sorted(Path().glob("*.ipynb"))), None)) is not None:
        return f"to grade the notebook: grade all --at {for_shell(str(notebook))}"
    first = course.stages[0].id
    return f"to begin: grade init my-engine; to grade code elsewhere: grade {first} --at PATH"


def _near() -> Iterator[Path]:
    """Yield the folders to look in: parents, visible subfolders, and the exercises in each."""
    above = [Path(*[os.pardir] * count) for count in range(1, 4)]
    inside: list[Path] = []
    with suppress(OSError):
        inside = sorted(
            entry for entry in Path().iterdir() if entry.is_dir() and not entry.name.startswith(".")
        )
    for folder in (*above, *inside):
        yield from (folder, folder / EXERCISES)


def folder_of_notebook() -> Path | None:
    """Return the current folder if there is a notebook in it."""
    here = Path()
    return here if any(here.glob("*.ipynb")) else None
