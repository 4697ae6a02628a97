"""Read a course from its folder, and check its tables against its suites."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any

from grader.curriculum.model import COURSE, DEFAULT_COURSE, STAGE, SUITE, Checkpoint, Course, Stage
from grader.curriculum.packages import refuse_unfit
from grader.curriculum.select import GROUPS
from grader.curriculum.tables import TEXTS, Table, matching, read_table
from grader.errors import CourseError, UsageError
from grader.model import Visibility

_ID = Annotated[
    str, matching(r"[a-z0-9]+(-[a-z0-9]+)*", "lowercase letters and digits, with - between words")
]


def load_course(folder: Path = DEFAULT_COURSE) -> Course:
    """Return the course in a folder. Raise UsageError if there is no course, CourseError if one of
    its files is missing or contradicts another.
    """
    folder = folder.resolve()
    refuse_folder(folder)
    # Path.is_file raises where that is not permitted
    if not os.path.isfile(folder / COURSE):  # noqa: PTH113
        what = f"{COURSE} in the folder" if os.path.isdir(folder) else "folder"  # noqa: PTH112
        raise UsageError(
            f"there is no {what} {str(folder)!r}",
            f"name a folder with a {COURSE}; `grade dev new` creates one",
        )
    table = read_table(folder / COURSE)
    names = table.get("stages", TEXTS)
    wrong = [f"lists {name!r}, but {why}" for name in names if (why := wrong_stage_id(name))]
    if len({*names}) < len(names):
        wrong.append("lists a stage twice")
    if wrong:
        raise CourseError(
            f"{table.where}: 'stages' {wrong[0]}",
            "list the folders of the stages, each once; `grade dev new` creates one",
        )
    course = table.make(
        Course, folder=folder, stages=tuple(_stage(folder / name) for name in names), private=None
    )
    if not (folder / course.vocabulary).is_file():
        raise CourseError(
            f"there is no {folder / course.vocabulary}",
            "create it, empty or with the fixtures that the suites share",
        )
    return course


def refuse_folder(folder: Path) -> None:
    """Raise UsageError if pytest could not run a suite in this folder."""
    if "::" in str(folder) or "[" in str(folder):
        raise UsageError(
            f"no suite can run in {str(folder)!r}, because :: and [ mean something to pytest",
            "rename that folder, or name a different one",
        )


def wrong_stage_id(name: str) -> str:
    """Return why a stage cannot have this name, as the end of a sentence; empty if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9_]+)*", name):
        return (
            "a name must start with a letter and use only lowercase letters, digits and _, with -"
            " between words"
        )
    return "that word stands for several stages" if name in GROUPS else ""


def _stage(folder: Path) -> Stage:
    table = read_table(folder / STAGE)
    stage = table.make(
        Stage,
        id=folder.name,
        folder=folder,
        checkpoints=read_checkpoints(table, folder),
        private=None,
    )
    refuse_unfit(stage.packages, f"{table.where}: 'packages'", CourseError)
    return stage


def read_checkpoints(
    table: Table, folder: Path, unsaid: Visibility = Visibility.VISIBLE, **given: Any
) -> tuple[Checkpoint, ...]:
    """Return the checkpoints in a stage.toml, without keys for anything `given`. `unsaid` is the
    default visibility. Raise CourseError if an entry is wrong or the folder has no suite.
    """
    if not (folder / SUITE).is_file():
        raise CourseError(
            f"there is no {folder / SUITE}",
            "write the hidden suite, with a test function for each checkpoint",
        )
    needs = table.get("needs", TEXTS, ())
    checkpoints = []
    for entry in table.tables("checkpoint"):
        id, bonus = entry.get("id", _ID), entry.get("bonus", bool, default=False)
        checkpoints.append(
            entry.make(
                Checkpoint,
                id=f"{folder.name}.{id}",
                points=entry.get("points", int, *[0] * bonus) * (not bonus),
                needs=(*needs, *entry.get("needs", TEXTS, ())),
                visibility=entry.get("visibility", Visibility, unsaid),
                **{"private": False, **given},
            )
        )
    return tuple(checkpoints)
