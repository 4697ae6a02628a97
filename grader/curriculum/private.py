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
from grader.curriculum.model import (
    DEFAULT_COURSE,
    MISTAKES,
    STAGE,
    SUITE,
    Checkpoint,
    Course,
    Stage,
)
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
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {str(folder)!r}",
            f"name the folder of the private suites, which has {course.stages[0].id}/{STAGE} and"
            f" {course.stages[0].id}/{SUITE}",
        )
    found = {  # without leftovers of tools
        entry.name: entry
        for entry in sorted(folder.iterdir())
        if entry.is_dir() and not entry.name.startswith((".", "__"))
    }
    if not found:
        raise UsageError(
            f"there is no private suite in the folder {str(folder)!r}",
            f"add a folder named after a stage, with {STAGE} and {SUITE}: {course.stages[0].id}/",
        )
    if unknown := sorted({*found} - {stage.id for stage in course.stages}):
        known = ", ".join(stage.id for stage in course.stages)
        raise CourseError(
            f"{found[unknown[0]]}: the course has no stage {unknown[0]!r}",
            f"its stages are {known}",
        )
    stages = tuple(
        _with_suite(stage, found[stage.id]) if stage.id in found else stage
        for stage in course.stages
    )
    return replace(course, stages=stages, private=folder)


def _with_suite(stage: Stage, folder: Path) -> Stage:
    if not (folder / STAGE).is_file():
        raise CourseError(
            f"there is no {folder / STAGE}",
            "write it and list the checkpoints, or remove the folder",
        )
    table = read_table(folder / STAGE)
    # a checkpoint that learners never see cannot explain anything to them
    more = read_checkpoints(table, folder, Visibility.HIDDEN, private=True, proves=(), checklist=())
    table.only()
    _check_new(stage, more, table.where)
    for problem, hint in suite_problems(folder / SUITE, more):
        raise CourseError(problem, hint)
    joined = replace(stage, checkpoints=(*stage.checkpoints, *more), private=folder)
    if same := {faulty.id for faulty in joined.faulty} & {
        faulty.id for faulty in joined.private_faulty
    }:
        raise CourseError(
            f"{folder / MISTAKES}: the course already has a faulty engine {min(same)!r}",
            "rename it",
        )
    return joined


def _check_new(stage: Stage, more: tuple[Checkpoint, ...], where: str) -> None:
    """Raise CourseError if the course already has one of these checkpoints."""
    if known := {each.id for each in stage.checkpoints} & {each.id for each in more}:
        raise CourseError(
            f"{where}: the course already has a checkpoint with that id: {min(known)}",
            "give it a different id, because private suites only add checkpoints",
        )


def suite_problems(suite: Path, checkpoints: Iterable[Checkpoint]) -> Iterator[tuple[str, str]]:
    """Yield each test without a checkpoint and each checkpoint without a test, and what to do."""
    tests = {name for name, _ in definitions(read_python(suite)[1]) if name.startswith("test_")}
    functions = {checkpoint.function for checkpoint in checkpoints}
    for name in sorted(tests ^ functions):
        id = name.removeprefix("test_").replace("_", "-")
        yield (
            (
                f"{suite}: {name} is not a checkpoint",
                f"add a [[checkpoint]] with the id {id!r} to {STAGE}, or rename it",
            )
            if name in tests
            else (
                f"{suite}: there is no {name}",
                f"write it, or remove the checkpoint {id!r} from {STAGE}",
            )
        )
