"""The folder in which nbgrader collects: `submitted/STUDENT/ASSIGNMENT/`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path

from grader.classroom.handed_in import Handed, is_folder, of_one, possible_time
from grader.errors import UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable

_NBGRADER = "timestamp.txt"


def find_assignments(students: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the folders of each assignment, or nothing if nbgrader collected none of them."""
    assignments: dict[str, list[Path]] = {}
    for student in students:
        if is_folder(student) and not student.is_symlink():
            with suppress(OSError):
                for inside in sorted(student.iterdir()):
                    if is_folder(inside) and not is_junk(printable(inside.name)):
                        assignments.setdefault(printable(inside.name), []).append(inside)
    folders = [folder for found in assignments.values() for folder in found]
    return assignments if any(os.path.isfile(one / _NBGRADER) for one in folders) else {}  # noqa: PTH113 - as above


def read_assignment(kept: Mapping[str, Sequence[Path]], assignment: str | None) -> list[Handed]:
    """Return what was handed in. Raise UsageError if there are several assignments."""
    name = assignment or (next(iter(kept)) if len(kept) == 1 else "")
    if name not in kept:
        found = f"no assignment {name!r}" if name else f"{len(kept)} assignments"
        raise UsageError(
            f"the folder has {found}: {', '.join(sorted(kept))}",
            f"choose one: --assignment {min(kept)}",
        )
    return [
        of_one(learner, learner, folder, _collected(folder))
        for folder in kept[name]
        if (learner := printable(folder.parent.name))
    ]


def _collected(folder: Path) -> float:
    """Return when nbgrader says that it was handed in, or 0."""
    with suppress(OSError, ValueError, OverflowError):
        text = (folder / _NBGRADER).read_text(encoding="utf-8").strip()
        stamp, is_utc, _ = text.partition(" UTC")
        found = datetime.fromisoformat(stamp)
        return possible_time((found.replace(tzinfo=timezone.utc) if is_utc else found).timestamp())
    return 0.0
