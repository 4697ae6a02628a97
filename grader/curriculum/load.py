"""Read a course from its folder, and check its tables against its suites."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from grader.curriculum.model import (
    COURSE,
    DEFAULT_COURSE,
    HINT_LEVELS,
    STAGE,
    SUITE,
    Checkpoint,
    Course,
    Graph,
    Hints,
    Stage,
)
from grader.curriculum.packages import refuse_unfit
from grader.curriculum.select import GROUPS
from grader.curriculum.tables import Table, read_table
from grader.errors import CourseError, UsageError
from grader.model import Visibility

COURSE_KEYS = (
    "title", "vocabulary", "shared", "kit", "styles", "every_check_ends", "reading",
    "stages", "graph", "checklist",
    "own_word"
)  # fmt: skip
STAGE_KEYS = (
    "title", "summary", "file", "minutes", "optional", "packages", "alone", "warm_up",
    "see", "needs", "checkpoint", "hints"
)  # fmt: skip
CHECKPOINT_KEYS = (
    "id", "points", "bonus", "methods", "about", "proves", "needs", "checklist", "visibility"
)  # fmt: skip


def load_course(folder: Path = DEFAULT_COURSE, without: str = "") -> Course:
    """Return the course in a folder, without the stage of that name. Raise UsageError if there is
    no course, CourseError if one of its files is missing or contradicts another.
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
    table.only(COURSE_KEYS)
    names = table.texts("stages")
    _check_stages(names, table.where)
    vocabulary = table.text("vocabulary", "vocabulary.py")
    if not _is_module(vocabulary) or not (folder / vocabulary).is_file():
        raise CourseError(
            f"there is no {folder / vocabulary}",
            "create it, empty or with the fixtures that the suites share",
        )
    return Course(
        folder=folder,
        title=table.text("title"),
        vocabulary=vocabulary,
        shared=table.texts("shared", ()),
        kit=table.text("kit", "."),
        graph=_graph(table.table("graph")) if "graph" in table else None,
        checklist=table.table("checklist", optional=True).all_texts(),
        own_word=table.table("own_word", optional=True).all_texts(),
        styles=table.texts("styles", ()),
        reading=table.texts("reading", ()),
        every_check_ends=table.flag("every_check_ends"),
        stages=tuple(_stage(folder / name) for name in names if name != without),
    )


def refuse_folder(folder: Path) -> None:
    """Raise UsageError if pytest could not run a suite in this folder."""
    if "::" in str(folder) or "[" in str(folder):
        raise UsageError(
            f"no suite can run in {str(folder)!r}, because :: and [ mean something to pytest",
            "rename that folder, or name a different one",
        )


def _check_stages(names: Sequence[str], where: str) -> None:
    if not names:
        raise CourseError(
            f"{where}: 'stages' is empty",
            "list the folders of the stages in course order; `grade dev new` creates one",
        )
    for name in names:
        if problem := wrong_stage_id(name):
            raise CourseError(
                f"{where}: 'stages' lists {name!r}, but {problem}",
                "rename the stage and its folder",
            )
        if names.count(name) > 1:
            raise CourseError(
                f"{where}: 'stages' lists {name!r} {names.count(name)} times",
                "list each stage once",
            )


def wrong_stage_id(name: str) -> str:
    """Return why a stage cannot have this name, as the end of a sentence; empty if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9_]+)*", name):
        return (
            "a name must start with a letter and use only lowercase letters, digits and _, with -"
            " between words"
        )
    return "that word stands for several stages" if name in GROUPS else ""


def _is_module(file: str) -> bool:
    return file.removesuffix(".py").isidentifier() and file.endswith(".py")


def _graph(table: Table) -> Graph:
    table.only(Graph._fields)
    return Graph(
        **{name: table.text(name) for name in Graph._fields if name not in Graph._field_defaults},
        op=table.text("op", ""),
        order=table.text("order", ""),
        form=table.texts("form", ()),
    )


def _stage(folder: Path) -> Stage:
    table = read_table(folder / STAGE)
    table.only(STAGE_KEYS)
    file = table.text("file")
    if not _is_module(file):
        raise CourseError(
            f"{table.where}: 'file' is {file!r}, which cannot be imported",
            'name a Python file, as in: file = "engine.py"',
        )
    hints = table.table("hints", optional=True)
    checkpoints = read_checkpoints(table, folder)
    packages = table.texts("packages", ())
    refuse_unfit(packages, f"{table.where}: 'packages'", CourseError)
    return Stage(
        id=folder.name,
        folder=folder,
        title=table.text("title"),
        summary=table.text("summary").strip(),
        file=file,
        minutes=table.whole("minutes"),
        optional=table.flag("optional"),
        packages=packages,
        alone=table.flag("alone"),
        warm_up=table.flag("warm_up"),
        checkpoints=checkpoints,
        hints=tuple(_hints(name, hints.table(name)) for name in hints.present()),
        see=table.text("see", ""),
    )


def _hints(function: str, table: Table) -> Hints:
    table.only(HINT_LEVELS)
    *texts, code = HINT_LEVELS
    hints = [*(table.text(level) for level in texts), table.text(code, "")]
    return Hints(function, *(text.strip("\n") for text in hints))


def read_checkpoints(
    table: Table,
    folder: Path,
    keys: Sequence[str] = CHECKPOINT_KEYS,
    unsaid: Visibility = Visibility.VISIBLE,
) -> tuple[Checkpoint, ...]:
    """Return the checkpoints in a stage.toml, which may have these keys. `unsaid` is the default
    visibility. Raise CourseError if an entry is wrong or the folder has no suite.
    """
    if not (folder / SUITE).is_file():
        raise CourseError(
            f"there is no {folder / SUITE}",
            "write the hidden suite, with a test function for each checkpoint",
        )
    checkpoints = tuple(
        _checkpoint(folder.name, entry, table.texts("needs", ()), keys, unsaid)
        for entry in table.tables("checkpoint")
    )
    ids = [checkpoint.id for checkpoint in checkpoints]
    if twice := [id for id in ids if ids.count(id) > 1]:
        raise CourseError(
            f"{table.where}: the checkpoint {twice[0]!r} is listed {ids.count(twice[0])} times",
            "give each checkpoint a different id",
        )
    return checkpoints


def _checkpoint(
    stage: str, entry: Table, needs: Sequence[str], keys: Sequence[str], unsaid: Visibility
) -> Checkpoint:
    entry.only(keys)
    id, bonus, visibility = (
        entry.text("id"),
        entry.flag("bonus"),
        entry.text("visibility", unsaid.value),
    )
    if visibility not in (known := [each.value for each in Visibility]):
        raise CourseError(
            f"{entry.where}: 'visibility' is {visibility!r}", f"write one of {', '.join(known)}"
        )
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id):
        raise CourseError(
            f"{entry.where}: 'id' is {id!r}",
            "use lowercase letters and digits, with - between words",
        )
    return Checkpoint(
        id=f"{stage}.{id}",
        points=0 if bonus else entry.whole("points"),
        bonus=bonus,
        methods=entry.texts("methods"),
        about=entry.texts("about", ()),
        proves=entry.texts("proves", ()),
        needs=(*needs, *entry.texts("needs", ())),
        checklist=entry.texts("checklist", ()),
        visibility=Visibility(visibility),
    )
