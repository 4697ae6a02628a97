"""A learner's files and folders, and when they were handed in.

Learners choose the names, so every text in a `Handed` is made printable.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.classroom.entries import Partners
from grader.classroom.times import EXACT, UNKNOWN, possible_time
from grader.intake.submission import printable
from grader.text import safe

SUFFIXES = (".py", ".ipynb", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")
_MAX_LOOKED_AT = 500  # files of a submission whose times are checked


@dataclass(frozen=True)
class Handed:
    """One learner's submission: a folder, a file, or several files by their original names.

    `learner` is the id that the course system knows them by, or the name of their folder or file.
    `timing` says how reliable the time is. Unless it is exact, `received` is the time of the newest
    file, and only orders submissions. `trouble` says why this must not be graded, `unreadable`
    which part of it cannot be read. `partners` have the ids and names of everybody else who gets
    the mark.
    """

    learner: str
    name: str
    path: Path | None
    files: Mapping[str, Path]
    trouble: str
    received: float
    timing: str = UNKNOWN
    unreadable: str = ""
    partners: Partners = ()

    @property
    def origin(self) -> str:
        """The name that a person would use."""
        if self.path is not None:
            return printable(self.path)
        return ", ".join(sorted(printable(file.name) for file in self.files.values()))

    @property
    def places(self) -> list[Path]:
        """Return the files and folders that belong to the submission."""
        return [*self.files.values()] if self.path is None else [self.path]


def of_one(
    learner: str, name: str, entry: Path, received: float | None = None, timing: str = UNKNOWN
) -> Handed:
    """Return the submission that consists of a single folder or file."""
    newest, unreadable = look(entry)
    if received is not None:
        newest, timing = received, EXACT
    return Handed(learner, name, entry, {}, "", newest, timing, unreadable=unreadable)


def is_folder(entry: Path) -> bool:
    """Return whether this is a folder to look into."""
    return os.path.isdir(entry)  # noqa: PTH112 - Path.is_dir raises for what is not permitted


def look(entry: Path) -> tuple[float, str]:
    """Return when the newest file was written, and why the first unreadable one cannot be read."""
    errors: list[OSError] = []
    is_one = entry.is_symlink() or not is_folder(entry)
    folders = () if is_one else os.walk(entry, onerror=errors.append)
    inside = (Path(folder, name) for folder, _, names in folders for name in names)
    times = [0.0]
    for place in islice([entry] if is_one else inside, _MAX_LOOKED_AT):
        try:
            times.append(possible_time(place.stat(follow_symlinks=False).st_mtime))
        except OSError as error:  # noqa: PERF203
            errors.append(error)
    why = [f"{safe(str(one.filename), 200)!r} cannot be read: {one.strerror}" for one in errors[:1]]
    return max(times), "".join(why)
