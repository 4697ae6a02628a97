"""A learner's files and folders, and when they were handed in.

Learners choose the names, so every text in a `Handed` is made printable.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.classroom.entries import Partners
from grader.classroom.times import EXACT, UNKNOWN, possible_time
from grader.intake.submission import printable

SUFFIXES = (".py", ".ipynb", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")


@dataclass(frozen=True)
class Handed:
    """One learner's submission: a folder or files, by their original names.

    `learner` is the id that the course system knows them by, or the name of their folder or file.
    `timing` says how reliable the time is. Unless it is exact, `received` is the time of the newest
    file, and only orders submissions. `trouble` says why this must not be graded. `partners` have
    the ids and names of everybody else who gets the mark.
    """

    learner: str
    name: str
    files: Mapping[str, Path]
    received: float
    timing: str = UNKNOWN
    trouble: str = ""
    partners: Partners = ()

    @property
    def origin(self) -> str:
        """The name that a person would use."""
        return ", ".join(sorted(map(printable, self.places)))

    @property
    def places(self) -> list[Path]:
        """Return the files and folders that belong to the submission."""
        return [*self.files.values()]


def handed_in(  # noqa: PLR0913 - keyword arguments
    learner: str,
    name: str,
    files: Mapping[str, Path],
    received: float | None = None,
    *,
    timing: str = UNKNOWN,
    trouble: str = "",
    partners: Partners = (),
) -> Handed:
    """Return the submission of these files. `received` is its exact time, if known."""
    if received is None:
        inside = (file for place in files.values() for file in _files(place))
        newest = max(map(_time, islice(inside, 500)), default=0.0)  # enough for an order
        return Handed(learner, name, files, newest, timing, trouble, partners)
    return Handed(learner, name, files, received, EXACT, trouble, partners)


def is_folder(entry: Path) -> bool:
    """Return whether this is a folder to look into."""
    return os.path.isdir(entry)  # noqa: PTH112 - Path.is_dir raises for what is not permitted


def _files(place: Path) -> Iterator[Path]:
    """Yield the files in a folder, or the file itself."""
    if place.is_symlink() or not is_folder(place):
        yield place
    else:
        for folder, _, names in os.walk(place):
            yield from (Path(folder, name) for name in names)


def _time(file: Path) -> float:
    """Return when a file was written, or 0 if it cannot be seen; to read it says why."""
    try:
        return possible_time(file.lstat().st_mtime)
    except OSError:
        return 0.0
