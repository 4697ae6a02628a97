"""The submission as bytes: read once and never parsed, without following links. The bytes to
grade are also the bytes to hash.

`grader.intake.read` handles the forms of submissions.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.errors import SubmissionError
from grader.intake.choose import is_junk

MAX_BYTES = 256 * 1024


@dataclass(frozen=True)
class File:
    """One file: the module name that it is imported by, its name for the learner, and its bytes.

    It is a file of the course, a helper next to it, or a cell of a notebook. Cells run in order,
    and together they form every module of the course.
    """

    module: str
    shown: str
    source: bytes
    role: Literal["course", "helper", "cell"] = "course"


def alias(file: File, module: str, role: Literal["course", "helper"] = "helper") -> File:
    """Return a file that is the same module under one more name."""
    source = (  # no import statement, because a package may have anything else of that name
        "import importlib, sys\n"
        f"sys.modules[__name__] = importlib.import_module('__init__.{file.module}')\n"
    )
    return File(module, module, source.encode(), role)


@dataclass(frozen=True)
class Submission:
    """The files to grade, where they came from, and notes on how they were read."""

    origin: str
    files: tuple[File, ...]
    notes: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Return the hash of all files with their module names, independent of their paths."""
        return self.hash_of(file.module for file in self.files)

    def hash_of(self, modules: Iterable[str]) -> str:
        """Return the hash of some of the course's files and of everything that they may use:
        helpers and the cells of a notebook.
        """
        wanted = set(modules)
        parts = [
            (file.module, file.source)
            for file in self.files
            if file.role != "course" or file.module in wanted
        ]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def module(self, name: str) -> File | None:
        """Return the file with that module name, if it was handed in."""
        return next((file for file in self.files if file.module == name), None)

    def has(self, module: str) -> bool:
        """Return whether a module was handed in. A notebook may define any of them."""
        return self.is_notebook or self.module(module) is not None

    @property
    def is_notebook(self) -> bool:
        """Return whether it consists of cells."""
        return any(file.role == "cell" for file in self.files)


def printable(path: str | os.PathLike[str]) -> str:
    """Return a path as printable text. Names on disk may not be UTF-8."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()


def walk(
    root: Path, depth: int, tell: Callable[[OSError], object] | None = None
) -> Iterator[tuple[Path, list[str]]]:
    """Yield each folder below the root, relative to it, and its files. Skip links to folders, and
    folders that systems or editors left behind. `tell` is called for a folder that cannot be read.
    """
    for folder, folders, files in os.walk(root, onerror=tell):
        at = Path(folder).relative_to(root)
        folders[:] = sorted(n for n in folders if len(at.parts) < depth and not is_junk(n))
        yield at, sorted(files)


def read_bytes(file: Path, limit: int, below: Path | None = None) -> bytes:
    """Return the content of a regular file, cut after `limit` + 1 bytes.

    Neither the file nor any folder between it and `below` may be a link; without `below`, only the
    file is checked.

    Raise SubmissionError for a link, for anything but a regular file, and for a file that cannot be
    read.
    """
    refuse_links(file, below or file.parent)
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):  # opening a device may do something
            raise SubmissionError(
                f"{printable(file)!r} is not a regular file", "hand in a Python file"
            )
        with os.fdopen(os.open(file, _READ), "rb") as stream:
            return stream.read(limit + 1)
    except OSError as error:
        raise SubmissionError(
            f"{printable(file)!r} cannot be read: {error.strerror}", "check its permissions"
        ) from error


def read_whole(file: Path, limit: int) -> bytes:
    """Return the content of a regular file. Like `read_bytes`, but raise SubmissionError if it is
    larger than the limit.
    """
    data = read_bytes(file, limit)
    refuse_large(data, printable(file), limit)
    return data


_READ = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def refuse_links(path: Path, below: Path) -> None:
    """Raise SubmissionError if the path, or any folder between it and `below`, is a link."""
    if Path(os.path.realpath(path)) != Path(os.path.realpath(below), path.relative_to(below)):
        links = [each for each in (path, *path.parents) if each.is_symlink()]
        link = next((each for each in reversed(links) if below in each.parents), path)
        raise SubmissionError(
            f"{printable(link)!r} is a link, which the grader does not follow",
            "replace the link with a copy",
        )


def refuse_large(data: bytes, shown: str, limit: int = MAX_BYTES) -> None:
    """Raise SubmissionError if a file is larger than the limit."""
    if len(data) > limit:
        size = f"{limit >> 20} MiB" if limit >> 20 else f"{limit >> 10} KiB"
        raise SubmissionError(
            f"{shown!r} is larger than {size}",
            "leave out whatever is not code, such as the outputs of a notebook",
        )


def words_beside(source: bytes, *known: bytes) -> set[bytes]:
    """Return the words of every line that has one of the `known` words, up to a comment."""
    lines = (_WORD.findall(line.partition(b"#")[0]) for line in source.splitlines())
    return {word for words in lines if not {*known}.isdisjoint(words) for word in words}


_WORD = re.compile(rb"[\w\x80-\xff]+")
