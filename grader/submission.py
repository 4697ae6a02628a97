"""The submission as bytes: read once, never followed, never parsed. What is graded is what was hashed."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import SubmissionError

MAX_BYTES = 256 * 1024


@dataclass(frozen=True)
class File:
    """One file: the module name that it is imported by, the name that the learner knows it by, and its bytes."""

    module: str
    shown: str
    source: bytes


@dataclass(frozen=True)
class Submission:
    """The files that are graded, and where they came from."""

    origin: str
    files: tuple[File, ...]

    @property
    def sha256(self) -> str:
        """The hash of all files with their names, independent of where they lay."""
        return self.hash_of(file.module for file in self.files)

    def hash_of(self, modules: Iterable[str]) -> str:
        """The hash of some of the files."""
        wanted = set(modules)
        digest = hashlib.sha256()
        for file in self.files:
            if file.module not in wanted:
                continue
            for part in (file.module.encode(), file.source):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()

    def module(self, name: str) -> File | None:
        """The file of that module name, if it was handed in."""
        return next((file for file in self.files if file.module == name), None)


def read_submission(path: str | os.PathLike[str], names: Sequence[str]) -> Submission:
    """Read a folder, from which the files called `names` are taken, or a single file.

    A single file stands for the first of `names` unless it is called like another of them.

    Raises SubmissionError for what is missing, no regular file, too large or not permitted.
    """
    where, origin = Path(path), _printable(path)
    if os.path.isdir(where):  # noqa: PTH112 - Path.is_dir raises for a name that is too long, or not permitted
        found = [where / name for name in names if os.path.lexists(where / name)]
        if not found:
            raise SubmissionError(
                f"no {' or '.join(names)} in the folder {origin!r}",
                "name the folder or the file that holds your code after --at",
            )
        return Submission(origin, tuple(_read(file, file.name) for file in found))
    if not os.path.lexists(where):
        raise SubmissionError(f"there is no file or folder {origin!r}", "check the path after --at")
    name = where.name if where.name in names else names[0]
    return Submission(origin, (_read(where, name),))


def _printable(path: str | os.PathLike[str]) -> str:
    """A path as text that every terminal, report and message can hold: names on a disk need not be UTF-8."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()


def _read(file: Path, name: str) -> File:
    """The bytes of one regular file, neither through a link nor from a device nor more than `MAX_BYTES`."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    shown = _printable(file)
    try:
        descriptor = os.open(file, flags)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SubmissionError(f"{shown!r} is not a regular file", "hand in a Python file")
            with os.fdopen(descriptor, "rb", closefd=False) as stream:
                source = stream.read(MAX_BYTES + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        if file.is_symlink():
            raise SubmissionError(f"{shown!r} is a link", "hand in the file itself") from error
        raise SubmissionError(f"{shown!r} cannot be read: {error.strerror}", "check its permissions") from error
    if len(source) > MAX_BYTES:
        raise SubmissionError(f"{shown!r} is larger than {MAX_BYTES // 1024} KiB", "what is asked for takes a few KiB")
    return File(Path(name).stem, shown, source)
