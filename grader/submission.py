"""The submission as bytes: read once, never followed, never parsed. What is graded is what was hashed.

In which form it is handed in is the business of `grader.handed_in`, which ends here.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.errors import SubmissionError

MAX_BYTES = 256 * 1024


@dataclass(frozen=True)
class File:
    """One file: the module name that it is imported by, the name that the learner knows it by, and its bytes.

    A file of the course, a helper beside it, or a cell of a notebook: cells are run in turn and are, together, every module of the course.
    """

    module: str
    shown: str
    source: bytes
    role: Literal["course", "helper", "cell"] = "course"


@dataclass(frozen=True)
class Submission:
    """The files that are graded, where they came from, and what a person should know about how they were read."""

    origin: str
    files: tuple[File, ...]
    notes: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """The hash of all files with their names, independent of where they lay."""
        return self.hash_of(file.module for file in self.files)

    def hash_of(self, modules: Iterable[str]) -> str:
        """The hash of some of the files of the course, and of what any of them may use: helpers, and the cells of a notebook."""
        wanted = set(modules)
        digest = hashlib.sha256()
        for file in self.files:
            if file.role == "course" and file.module not in wanted:
                continue
            for part in (file.module.encode(), file.source):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()

    def module(self, name: str) -> File | None:
        """The file of that module name, if it was handed in."""
        return next((file for file in self.files if file.module == name), None)

    def has(self, module: str) -> bool:
        """Whether a module of the course was handed in; a notebook may hold any."""
        return self.is_notebook or self.module(module) is not None

    @property
    def is_notebook(self) -> bool:
        """Whether it is cells, and not files."""
        return any(file.role == "cell" for file in self.files)


def printable(path: str | os.PathLike[str]) -> str:
    """A path as text that every terminal, report and message can hold: names on a disk need not be UTF-8."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()


def read_bytes(file: Path, limit: int) -> bytes:
    """The bytes of one regular file, neither through a link nor from a device; one more than `limit` where there are more.

    Raises SubmissionError for what is no regular file, or not permitted.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    shown = printable(file)
    try:
        descriptor = os.open(file, flags)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SubmissionError(f"{shown!r} is not a regular file", "hand in a Python file")
            with os.fdopen(descriptor, "rb", closefd=False) as stream:
                return stream.read(limit + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        if file.is_symlink():
            raise SubmissionError(f"{shown!r} is a link, and the grader follows none", "put the file itself there: copy what the link leads to") from error
        raise SubmissionError(f"{shown!r} cannot be read: {error.strerror}", "check its permissions") from error


def refuse_large(source: bytes, shown: str) -> None:
    """Raise SubmissionError for a Python file that is larger than any should be."""
    if len(source) > MAX_BYTES:
        raise SubmissionError(f"{shown!r} is larger than {MAX_BYTES // 1024} KiB", "what is asked for takes a few KiB")
