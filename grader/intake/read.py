"""Read a submission in any form: a folder, a Python file, a notebook, or an archive of these.

Plain files are read here, as bytes. Archives and notebooks are opened by a reader in a separate
process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from grader.errors import SubmissionError
from grader.intake.choose import (
    MAX_DEPTH,
    choose,
    is_junk,
    is_notebook,
    is_packed,
    module_name,
    named_like,
    tidy,
)
from grader.intake.documents import document_called, document_in
from grader.intake.reader_client import (
    HAND_IN_CODE,
    MAX_NOTEBOOK,
    MAX_PACKED,
    Connect,
    ReaderClient,
    start_reader,
)
from grader.intake.run_notes import bounded
from grader.intake.submission import (
    MAX_BYTES,
    File,
    Submission,
    alias,
    printable,
    read_bytes,
    refuse_large,
    walk,
    words_beside,
)
from grader.worker import protocol
from grader.worker.protocol import Member

MAX_HELPERS = 32
_MAX_ENTRIES = 5_000  # files in a searched folder
_PACKED = (b"PK\3\4", b"PK\5\6", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")


def read_submission(
    path: str | os.PathLike[str],
    names: Sequence[str],
    connect: Connect = start_reader,
    wanted: Sequence[str] = (),
) -> Submission:
    """Read a submission in any form. `names` are the files of the course, with the main one first.
    If there are none of them, the error names only those in `wanted`.

    A single file stands for the one of `names` that it resembles, else for the first. `connect`
    starts a reader only for archives and notebooks.

    Raise SubmissionError if the submission is missing, ambiguous, too large, not a regular file, or
    unreadable.
    """
    where, origin = Path(path), printable(path)
    with closing(ReaderClient(connect)) as reader:
        search = _Search(names, wanted, reader)
        # Path.is_dir raises for a name that is too long, or not permitted
        if os.path.isdir(where):  # noqa: PTH112
            return search.choose(_folder(where, names), origin)
        if not os.path.lexists(where):
            raise SubmissionError(f"there is no file or folder {origin!r}", "check the path")
        return search.open(read_bytes(where, MAX_PACKED), origin)


def read_files(
    files: Mapping[str, Path], origin: str, names: Sequence[str], wanted: Sequence[str] = ()
) -> Submission:
    """Read files that belong together by their original names. Like `read_submission`."""
    with closing(ReaderClient(start_reader)) as reader:
        places = {name: place for name, place in files.items() if not is_junk(name)}
        source = _Source(
            "submission", places, str, lambda path, limit: read_bytes(places[path], limit)
        )
        return _Search(names, wanted, reader).choose(source, origin)


@dataclass(frozen=True)
class _Source:
    """Files to choose from, with `/` in their names, and notes on `skipped` ones.

    `shown` returns a file's name for people, `read` its bytes, at most one more than a limit.
    `read` raises SubmissionError if it cannot be read.
    """

    kind: str
    paths: Mapping[str, object]
    shown: Callable[[str], str]
    read: Callable[[str, int], bytes]
    skipped: Sequence[str] = ()


@dataclass(frozen=True)
class _Search:
    """Finds the files of the course, the main one first. `reader` opens archives and notebooks."""

    names: Sequence[str]
    wanted: Sequence[str]
    reader: ReaderClient

    def open(self, data: bytes, shown: str, *, inside: bool = False) -> Submission:
        """Return the submission in a single file of any kind. Raise SubmissionError for an archive
        if it comes from `inside` another one.
        """
        _refuse_kind(document_in(data) or document_called(shown), shown)
        if is_packed(shown) or data.startswith(_PACKED) or data[257:262] == b"ustar":
            _refuse_kind("an archive inside an archive" * inside, shown)
            refuse_large(data, shown, MAX_PACKED)
            return self.choose(_archive(data, shown, self.reader), shown)
        if is_notebook(shown):
            return Submission(shown, *self.reader.cells(data, shown))
        refuse_large(data, shown)
        name = named_like(Path(shown.replace("\\", "/")).name, self.names)
        return Submission(shown, (File(Path(name).stem, shown, data),))

    def choose(self, source: _Source, origin: str) -> Submission:
        """Return the submission among the files of a folder or an archive. Raise SubmissionError if
        there is none or several are possible.
        """
        choice = choose(source.paths, self.names, origin)
        skipped = bounded(source.skipped, "more files are skipped")
        if choice.files:
            files = tuple(
                _file(source, path, Path(name).stem) for name, path in choice.files.items()
            )
            helpers, more = _helpers(source, choice.folders, files, self.names)
            return Submission(origin, (*files, *helpers), (*choice.notes, *skipped, *more))
        if choice.only:
            found = self._only(source, choice.only)
            return Submission(origin, found.files, (*skipped, *found.notes))
        missing = dict.fromkeys(self.wanted or self.names)
        documents = [
            f"{path!r} is {kind}, not Python"
            for path in source.paths
            if (kind := document_called(path))
        ]
        reasons = [f"no {' or '.join(missing)} in the {source.kind} {origin!r}"]
        reasons += [*bounded(documents, "more files are not Python"), *skipped]
        raise SubmissionError(
            "; ".join(reasons), f"put the code into a file called {next(iter(missing))}"
        )

    def _only(self, source: _Source, path: str) -> Submission:
        """Return the submission that consists of the only candidate and its helpers."""
        limit = MAX_PACKED if is_packed(path) else MAX_NOTEBOOK if is_notebook(path) else MAX_BYTES
        data = source.read(path, limit)
        found = self.open(data, source.shown(path), inside=source.kind != "folder")
        note = f"{path!r} is graded because it is the only candidate in the {source.kind}"
        if is_packed(path):
            return replace(found, notes=(note, *found.notes))
        folders = {path[: path.rfind("/") + 1]}
        helpers, more = _helpers(source, folders, found.files, self.names)
        return Submission(found.origin, (*found.files, *helpers), (note, *found.notes, *more))


def _refuse_kind(kind: str, shown: str) -> None:
    if kind:
        raise SubmissionError(f"{shown!r} is {kind}, not Python", HAND_IN_CODE)


def _file(
    source: _Source, path: str, module: str, role: Literal["course", "helper"] = "course"
) -> File:
    if not path:  # a package without an `__init__.py`
        return File(module, module, b"", role)
    data = source.read(path, MAX_BYTES)
    refuse_large(data, source.shown(path))
    _refuse_kind(document_in(data), source.shown(path))
    return File(module, source.shown(path), data, role)


# --- helpers: the learner's own modules, next to the files of the course ---


def _helpers(
    source: _Source, folders: Collection[str], found: Sequence[File], names: Sequence[str]
) -> tuple[tuple[File, ...], tuple[str, ...]]:
    """Return the modules that these files import from their own folders, directly or through each
    other, and notes about them.

    Imports are found by looking for a module's name in the bytes of lines with `import` or `from`.
    Any import may refer to an `__init__.py` next to a file. If a file names `sys.path`, modules may
    be in any folder. Other files are not read.
    """
    known = {Path(name).stem for name in names} | {file.module for file in found}
    read = {file.shown: file for file in found}
    is_searched = any(b"sys.path" in file.source for file in found)
    others = {path[: path.rfind("/") + 1] for path in source.paths if is_searched}
    waiting = {
        name: files
        for folder in (*sorted(others.difference(folders)), *sorted(folders, reverse=True))
        for name, files in _beside(source, folder).items()
        if (name not in known or (files[name] and source.shown(files[name]) in read))
        and (folder in folders or name != "__init__")
    }
    taken: list[File] = []
    notes, queue = [], [*found]
    while queue:
        imported = {b"__init__", *map(str.encode, known)} | words_beside(
            queue.pop().source, b"import", b"from"
        )
        for name in [name for name in waiting if name.encode() in imported]:
            files = waiting.pop(name)
            if len(taken) + len(files.keys() - known) > MAX_HELPERS:
                notes.append(f"{name!r} is skipped, because only {MAX_HELPERS} helpers are read")
            else:
                try:
                    new = [
                        alias(same, module)
                        if (same := read.get(source.shown(path) if path else ""))
                        else _file(source, path, module, "helper")
                        for module, path in files.items()
                        if module not in known
                    ]
                    taken += new
                    queue += new
                    read.update((file.shown, file) for file in new)
                except SubmissionError as error:  # perhaps it was meant for something else
                    notes.append(f"{error.message}; it is skipped")
    taken.sort(key=lambda file: file.module)
    return tuple(taken), tuple(bounded(notes, "more modules are skipped"))


def _beside(source: _Source, folder: str) -> dict[str, dict[str, str]]:
    """Return the modules in a folder, each with the names it is imported by and their paths."""
    modules: dict[str, dict[str, str]] = {}
    for path in sorted(source.paths):
        *packages, file = path[len(folder) :].split("/")
        parts = [*packages, module_name(file)]
        if not path.startswith(folder) or is_junk(path) or not all(map(str.isidentifier, parts)):
            continue
        files = modules.setdefault(parts[0], {})
        if not packages or files.get(parts[0]) != f"{folder}{parts[0]}.py":
            for end in range(1, len(parts)):
                files.setdefault(".".join(parts[:end]), "")
            files[".".join(parts).removesuffix(".__init__")] = path
    return modules


# --- where files come from ---


def _folder(where: Path, names: Sequence[str]) -> _Source:
    """Return the files in a folder on disk. Links are not followed."""
    skipped, left = list[str](), _MAX_ENTRIES
    tell = lambda error: skipped.append(  # noqa: E731
        f"{printable(error.filename)!r} cannot be read: {error.strerror}"
    )
    paths = {name: where / name for name in names if os.path.lexists(where / name)}
    for at, files in walk(where, MAX_DEPTH + 1, tell):  # packages are next to a file
        left -= len(files)
        if left < 0:
            skipped.append(
                f"{printable(where / at)!r} is not searched, because there are more than"
                f" {_MAX_ENTRIES} files"
            )
            break
        for name in files:  # tidy before `printable`, which adds backslashes
            path = "/".join(printable(tidy(part)) for part in (*at.parts, name))
            if tidy(name) and not is_junk(path):
                paths.setdefault(path, where / at / name)
    return _Source(
        "folder",
        paths,
        lambda path: printable(paths[path]),
        lambda path, limit: read_bytes(paths[path], limit, where),
        skipped,
    )


def _archive(data: bytes, shown: str, reader: ReaderClient) -> _Source:
    """Return the members of an archive that may be code. The reader unpacks them."""
    members: dict[str, tuple[int, Member]] = {}
    skipped = []
    for place, member in enumerate(reader.ask(shown, protocol.Members, data)):
        path = tidy(member.name)
        if not path:
            skipped.append(
                f"{member.name!r} is skipped, because it"
                f" {member.trouble or 'leads out of the archive'}"
            )
        elif member.name.endswith("/"):
            skipped.append(f"not searched: {member.name}")
        elif not is_junk(path):
            twice = member._replace(trouble="occurs more than once")
            members[path] = (place, twice if path in members else member)

    def read(path: str, limit: int) -> bytes:
        place, member = members[path]
        if member.trouble:
            raise SubmissionError(
                f"{member.name!r} in {shown!r} {member.trouble}", "hand in the file itself"
            )
        return bytes(reader.ask(f"{shown}/{path}", protocol.Take, place, limit))

    return _Source("archive", members, lambda path: f"{shown}/{path}", read, skipped)
