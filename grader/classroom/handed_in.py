"""A learner's files and folders, and when they were handed in.

Learners choose the names, so every text in a `Handed` is made printable.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.classroom.entries import Partners
from grader.classroom.times import EXACT, UNKNOWN, possible_time
from grader.intake.submission import printable

SUFFIXES = (".py", ".ipynb", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")
_MAX_LOOKED_AT = 500  # files of a submission whose times are checked
_MAX_SHOWN = 200


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
    newest, unreadable = 0.0, ""
    waiting = deque([entry])
    looked_at = 0
    while waiting and (looked_at := looked_at + 1) <= _MAX_LOOKED_AT:
        place = waiting.popleft()
        try:
            found = place.stat(follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode):
                newest = max(newest, possible_time(found.st_mtime))
            else:
                with os.scandir(place) as inside:
                    waiting += [
                        place / name
                        for name in sorted(other.name for other in islice(inside, _MAX_LOOKED_AT))
                    ]
        except OSError as error:
            shown = printable(place)
            cut = shown if len(shown) <= _MAX_SHOWN else shown[:_MAX_SHOWN] + "…"
            unreadable = unreadable or f"{cut!r} cannot be read: {error.strerror}"
    return newest, unreadable
