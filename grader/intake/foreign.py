"""Read an engine that was not written for this course, with the packages around its modules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from grader.errors import SubmissionError, UsageError
from grader.intake.adapter import NOTEBOOK, Adapter
from grader.intake.choose import is_junk
from grader.intake.read import read_submission
from grader.intake.reader_client import Connect, start_reader
from grader.intake.submission import (
    MAX_BYTES,
    File,
    Submission,
    printable,
    read_bytes,
    refuse_large,
    walk,
)

_MAX_FILES = 64
_MAX_FOLDERS = 500
_MAX_DEPTH = 5


def root_of(path: str | os.PathLike[str]) -> Path:
    """Return the folder that the engine's modules are imported from, above any package that
    contains them and can be imported by name. Raise SubmissionError if the path does not exist.
    """
    where = Path(path)
    if not where.exists():
        raise SubmissionError(f"there is no file or folder {printable(path)!r}", "check the path")
    folder = where if where.is_dir() else where.parent
    while (folder / "__init__.py").is_file() and folder.resolve().name.isidentifier():
        folder = folder.resolve().parent
    return folder


def root_for(path: str | os.PathLike[str], adapter: Adapter) -> Path:
    """Return the nearest folder, from `path` upwards, that has a file of the adapter and belongs to
    `path`; otherwise `root_of(path)`.
    """
    # Path.resolve would follow links
    root, where = root_of(path), Path(os.path.abspath(path))  # noqa: PTH100
    found = (
        above
        for above in (where, *where.parents)
        for file in adapter.files.values()
        if (place := above / file).is_file() and where in {place, *place.parents}
    )
    return next(found, root)


def python_files(root: Path) -> list[str]:
    """Return the Python files below a folder, with `/` as separator. Links are not followed."""
    return [
        (at / name).as_posix()
        for at, files in islice(walk(root, _MAX_DEPTH), _MAX_FOLDERS)
        for name in files
        if name.endswith(".py") and not is_junk(name)
    ]


def read_foreign(
    root: Path,
    adapter: Adapter,
    connect: Connect = start_reader,
    given: str | os.PathLike[str] = "",
) -> Submission:
    """Read the files that the adapter names and anything that they may import. Raise UsageError if
    a named file does not exist.

    If the root is above the folder that was `given`, files next to that folder are not read,
    because they may belong to somebody else. A notebook is opened by a reader, which `connect`
    starts. It stands for all files of the course, and nothing next to it is read.
    """
    for name, path in adapter.files.items():
        if not (root / path).is_file():
            raise UsageError(
                f"{adapter.where}: [files] {name!r} is {path!r}, which does not exist in"
                f" {printable(root)!r}",
                "give its path relative to that folder",
            )
    named = set(adapter.files.values())
    if notebook := next((path for path in named if path.endswith(NOTEBOOK)), None):
        if len(named) > 1:
            raise UsageError(
                f"{adapter.where}: [files] names {notebook!r} and other files",
                "a notebook replaces all files of the course, so name only the notebook",
            )
        found = read_submission(root / notebook, list(adapter.files), connect)
        return replace(found, notes=(_NOTE, *found.notes))
    files = list(_modules(root, adapter, Path(given or root).resolve()))
    modules = {file.module for file in files}
    above = {
        ".".join(module.split(".")[:depth])
        for module in modules
        for depth in range(1, module.count(".") + 1)
    }
    files += [
        File(package, f"{package.replace('.', '/')}/__init__.py", b"", "helper")
        for package in sorted(above - modules)
    ]
    return Submission(printable(root), tuple(files), (_NOTE,))


def _modules(root: Path, adapter: Adapter, own: Path) -> Iterator[File]:
    """Yield the named files and, up to a limit, the files that they may import."""
    named = dict.fromkeys(adapter.files.values())
    packages = {path.split("/")[0] for path in named if "/" in path}
    beside = root.resolve() == (own if own.is_dir() else own.parent)
    others = [path for path in python_files(root) if beside or path.split("/")[0] in packages]
    for path in list(named | dict.fromkeys(others))[:_MAX_FILES]:
        source = read_bytes(root / path, MAX_BYTES, root)
        if path in named:
            refuse_large(source, path)
        if len(source) <= MAX_BYTES:
            yield File(
                path[:-3].replace("/", ".").removesuffix(".__init__"), path, source, "helper"
            )


_NOTE = (
    "graded through an adapter: values and gradients are checked in full; requirements that only"
    " the stubs of this course make (names, reprs, rejected arguments) are not checked, and"
    " features that the engine lacks count as not started"
)
