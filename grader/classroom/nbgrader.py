"""The folder into which nbgrader collects: `submitted/STUDENT/ASSIGNMENT/`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from grader.classroom.handed_in import Handed
from grader.classroom.times import read_time
from grader.errors import SubmissionError, UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable, read_whole

_STAMP = "timestamp.txt"


def find_assignments(students: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the folders of each assignment, or nothing unless nbgrader has stamped one for more
    than half of the students.
    """
    folders = [folder for student in students for folder in _inside(student)]
    stamped = [folder for folder in folders if os.path.lexists(folder / _STAMP)]
    names = {printable(folder.name) for folder in stamped}
    if 2 * len({folder.parent for folder in stamped}) <= len(students):
        return {}
    return {
        name: [folder for folder in folders if printable(folder.name) == name]
        for name in sorted(names)
    }


def _inside(student: Path) -> list[Path]:
    """Return the folders in a folder: none if it is a link or cannot be read."""
    names = [] if student.is_symlink() else next(os.walk(student), ("", [], []))[1]
    return [student / name for name in sorted(names) if not is_junk(printable(name))]


def read_assignment(kept: Mapping[str, Sequence[Path]], assignment: str | None) -> list[Handed]:
    """Return the files handed in. Without a name, there must be one assignment; raise UsageError
    if there are several.
    """
    name = assignment or (next(iter(kept)) if len(kept) == 1 else "")
    if name not in kept:
        found = f"no assignment {name!r}" if name else f"{len(kept)} assignments"
        raise UsageError(
            f"the folder has {found}: {', '.join(sorted(kept))}",
            f"choose one: --assignment {min(kept)}",
        )
    return [_collected(folder, printable(folder.parent.name)) for folder in kept[name]]


def _collected(folder: Path, learner: str) -> Handed:
    """Return the files that nbgrader collected, with their time, which is UTC if it names no zone.
    It is unknown unless it is in a short file.
    """
    stamp = b""
    with suppress(SubmissionError):
        stamp = read_whole(folder / _STAMP, 1024)
    return Handed(learner, learner, {folder.name: folder}).at(
        read_time(stamp.decode("utf-8", "replace"), "utc")
    )
