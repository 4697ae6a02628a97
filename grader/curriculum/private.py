"""Private suites: checkpoints added to a course for marking only.

Their folder is laid out like part of a course. Each stage that gets more checkpoints has a folder
with its name, which holds a `stage.toml` that lists them, a `suite.py` that judges them and, if you
like, faulty engines that prove them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from grader.curriculum.load import load_course, read_checkpoints, refuse_folder
from grader.curriculum.model import DEFAULT_COURSE, STAGE, SUITE, Checkpoint, Course, Stage
from grader.curriculum.source import definitions
from grader.curriculum.syntax import read_python
from grader.curriculum.tables import read_table
from grader.errors import CourseError, UsageError
from grader.model import Visibility


def load_course_with(folder: Path = DEFAULT_COURSE, suites: Path | None = None) -> Course:
    """Load a course, and the private suites of a folder. Raise like `load_course` and
    `with_suites`.
    """
    course = load_course(folder)
    return course if suites is None else with_suites(course, suites)


def with_suites(course: Course, folder: Path) -> Course:
    """Return the course with the private checkpoints, each after the checkpoints of its stage.
    Raise UsageError if there are none, CourseError if they contradict the course.
    """
    folder = folder.resolve()
    refuse_folder(folder)
    found = {  # without leftovers of tools
        entry.name: entry
        for entry in (sorted(folder.iterdir()) if folder.is_dir() else ())
        if entry.is_dir() and not entry.name.startswith((".", "__"))
    }
    if not found:
        raise UsageError(
            f"there is no private suite in the folder {str(folder)!r}",
            f"name a folder that has a {course.stages[0].id}/{STAGE} and a {SUITE} next to that",
        )
    if unknown := sorted({*found} - {stage.id for stage in course.stages}):
        raise CourseError(
            f"{found[unknown[0]]}: the course has no stage {unknown[0]!r}",
            f"its stages are {', '.join(stage.id for stage in course.stages)}",
        )
    stages = tuple(
        _with_suite(stage, found[stage.id]) if stage.id in found else stage
        for stage in course.stages
    )
    return replace(course, stages=stages, private=folder)


def _with_suite(stage: Stage, folder: Path) -> Stage:
    table = read_table(folder / STAGE)
    # a checkpoint that learners never see cannot explain anything to them
    more = read_checkpoints(table, folder, Visibility.HIDDEN, private=True, proves=(), checklist=())
    table.only()
    for problem, hint in suite_problems(folder / SUITE, more):
        raise CourseError(problem, hint)
    joined = replace(stage, checkpoints=(*stage.checkpoints, *more), private=folder)
    same = {each.id for each in stage.checkpoints} & {each.id for each in more}
    same |= {each.id for each in joined.faulty} & {each.id for each in joined.private_faulty}
    if same:
        raise CourseError(
            f"{folder}: the course already has {min(same)!r}",
            "give it a different id, because private suites only add checkpoints",
        )
    return joined


def suite_problems(suite: Path, checkpoints: Iterable[Checkpoint]) -> Iterator[tuple[str, str]]:
    """Yield each test without a checkpoint and each checkpoint without a test, and what to do."""
    tests = {name for name, _ in definitions(read_python(suite)[1]) if name.startswith("test_")}
    for name in sorted(tests ^ {checkpoint.function for checkpoint in checkpoints}):
        id = name.removeprefix("test_").replace("_", "-")
        problem = f"{name} is not a checkpoint" if name in tests else f"there is no {name}"
        hint = (
            f"there must be a {name} in {SUITE} and a [[checkpoint]] {id!r} in {STAGE}, or neither"
        )
        yield f"{suite}: {problem}", hint
