"""Find the course and the learner's own code."""

from __future__ import annotations

import os
from pathlib import Path

from grader.cli.hosting import current_page
from grader.curriculum.model import Course
from grader.errors import SubmissionError

EXERCISES = "exercises"
VARIABLE = "GRADE_COURSE"
SEED_VARIABLE = "GRADE_SECRET_SEED"


def load(folder: str | None, suites: str | None) -> Course:
    """Return a course, with private suites if there are any. Raise UsageError or CourseError."""
    from grader.curriculum.model import DEFAULT_COURSE
    from grader.curriculum.private import load_course_with

    chosen, page = Path(folder or DEFAULT_COURSE), current_page()
    if page is not None and page.course.folder == chosen and not suites:
        return page.course
    return load_course_with(chosen, Path(suites) if suites else None)


def find_home(course: Course) -> Path | None:
    """Return the folder with the learner's own code and progress, or None if it is not nearby."""
    folders = map(Path, (EXERCISES, "."))
    # Path.exists raises if access is denied
    return next((home for home in folders if os.path.exists(home / course.files[0])), None)  # noqa: PTH110


def own_home(course: Course) -> Path:
    """Return the folder with the learner's own code. Raise SubmissionError if there is none."""
    home = find_home(course)
    if home is None:
        raise SubmissionError(
            f"there is no {course.files[0]} in this folder or in {EXERCISES}/", _advice(course)
        )
    return home


def locate(course: Course, path: str | None) -> tuple[str, Path | None]:
    """Return the path to grade and, if `path` is not set, the folder of the learner's progress."""
    if path is not None:
        return path, None
    home = own_home(course)
    return str(home), home


def _advice(course: Course) -> str:
    """Say where the learner's code seems to be, or how to begin."""
    from grader.curriculum.packages import for_shell

    for engine in sorted(Path().glob(f"*/{course.files[0]}")):
        return f"cd {for_shell(str(engine.parent))}"
    for notebook in sorted(Path().glob("*.ipynb")):
        return f"to grade the notebook: grade all --at {for_shell(str(notebook))}"
    first = course.stages[0].id
    return f"to begin: grade init my-engine; to grade code elsewhere: grade {first} --at PATH"


def folder_of_notebook() -> Path | None:
    """Return the current folder if there is a notebook in it."""
    return Path() if any(Path().glob("*.ipynb")) else None
