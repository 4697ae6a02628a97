"""A learner's files and folders, and when they were handed in.

Learners choose the names, so every text in a `Handed` is made printable.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.classroom.entries import Partners
from grader.classroom.times import EXACT, UNKNOWN
from grader.intake.submission import printable

SUFFIXES = (".py", ".ipynb", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")


@dataclass(frozen=True)
class Handed:
    """One learner's submission: a folder or files, by their original names.

    `learner` is the id that the course system knows them by, or the name of their folder or file.
    `timing` says how reliable the time is. Unless it is known, `received` is the time of this run,
    and only orders submissions. `trouble` says why this must not be graded. `partners` have the ids
    and names of everybody else who gets the mark.
    """

    learner: str
    name: str
    files: Mapping[str, Path]
    timing: str = UNKNOWN
    trouble: str = ""
    partners: Partners = ()
    received: float = field(default_factory=time.time)

    def at(self, received: float | None, timing: str = EXACT) -> Handed:
        """Return the submission with its time, if there is one."""
        return self if received is None else replace(self, received=received, timing=timing)

    @property
    def origin(self) -> str:
        """The name that a person would use."""
        return ", ".join(sorted(map(printable, self.places)))

    @property
    def places(self) -> list[Path]:
        """Return the files and folders that belong to the submission."""
        return [*self.files.values()]


def is_folder(entry: Path) -> bool:
    """Return whether this is a folder to look into."""
    return os.path.isdir(entry)  # noqa: PTH112 - Path.is_dir raises for what is not permitted
