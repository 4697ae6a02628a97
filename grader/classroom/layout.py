"""Find out who handed in which files, from the layouts of course systems' exports.

This module looks only at names; `grader.classroom.grading` reads the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from grader.classroom import canvas_moodle, gradescope, nbgrader
from grader.classroom.handed_in import SUFFIXES, Handed, is_folder
from grader.errors import UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable


def find_handed_in(folder: Path, assignment: str | None = None) -> tuple[str, list[Handed]]:
    """Return the name of the layout, and everybody's submissions. In nbgrader's layout,
    `assignment` chooses one of several. Raise UsageError if the folder is missing or empty.

    A layout must fit more than half of the submissions, because learners choose names, too.
    """
    entries = [entry for entry in _entries(folder) if not _is_left_behind(printable(entry.name))]
    submissions = [entry for entry in entries if _may_be_handed_in(entry)]
    if gradescope.is_download(folder, submissions):
        return "Gradescope", gradescope.read_metadata(folder)
    layout, explained = canvas_moodle.explained_names(entries)
    owners = {match["id"] for match in explained.values()}
    if len(owners) > sum(entry not in explained for entry in submissions):
        return layout, canvas_moodle.read_names(explained)
    if kept := nbgrader.find_assignments(submissions):
        return "nbgrader", nbgrader.read_assignment(kept, assignment)
    if not submissions:
        raise UsageError(
            f"there are no submissions in {printable(folder)!r}",
            "name a folder that contains folders, files, notebooks or archives",
        )
    return "folder", [_plain(entry) for entry in submissions]


def unexplained(folder: Path, handed: Iterable[Handed]) -> list[str]:
    """Return the names of entries in the folder that belong to none of these submissions."""
    known = {place for one in handed for place in one.places}
    known |= {place.parent for place in known if place.parent != folder}
    return [
        printable(entry.name)
        for entry in _entries(folder)
        if entry not in known
        and not canvas_moodle.TYPED.fullmatch(printable(entry.name))
        and (not _is_left_behind(entry.name) or _may_be_handed_in(entry))
        and (entry.name != gradescope.METADATA or not gradescope.is_download(folder, [*known]))
    ]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(
            entry
            for entry in folder.iterdir()
            if not entry.name.startswith("._") and entry.name not in {"__MACOSX", "__pycache__"}
        )
    except OSError as error:
        raise UsageError(
            f"{printable(folder)!r} cannot be read: {error.strerror}",
            "name the folder with the submissions of your class",
        ) from error


def _may_be_handed_in(entry: Path) -> bool:
    is_file = printable(entry.name).lower().endswith(SUFFIXES)
    return is_file or is_folder(entry) or entry.is_symlink()


def _is_left_behind(name: str) -> bool:
    """Return whether a system or an editor left this file behind. A Moodle name may also begin with
    a dot, because it begins with the person's name.
    """
    return is_junk(name) and not canvas_moodle.MOODLE.fullmatch(name)


def _plain(entry: Path) -> Handed:
    name = printable(entry.name)
    learner = name if is_folder(entry) else re.sub(r"(\.tar)?\.\w+$", "", name)
    return Handed(learner, learner, {name: entry})
