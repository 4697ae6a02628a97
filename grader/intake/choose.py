"""Choose the file to grade among many: exact names first, then similar names, then the only
candidate.

It works on names alone, from a folder or an archive, and opens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.worker.bounds import TOOLS

MAX_DEPTH = 2  # folders above a file
ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
_FINISHED = (  # in a whole checkout, this folder is not the learner's work
    "solutions"
)
_NO_CODE = re.compile(r"(test_.*|.*_test|conftest|setup|__init__|__main__)\.py", re.IGNORECASE)
# lastfirst_12345_678901_engine.py
_CANVAS = re.compile(r"(?<![^_])[^_]+_(?:late_)?\d+_\d+_", re.IGNORECASE)
_COPY = r"(?:[ _-]*(?:\(\d+\)|copy)|[ _-]v?\d+)*"  # engine-1.py, engine (2).py, engine - Copy.py


class Choice(NamedTuple):
    """The path of each file of the course, and notes about the choice.

    If no file resembles one of the course's, `only` is the only candidate: Python, a notebook or an
    archive.
    """

    files: Mapping[str, str] = {}
    only: str = ""
    notes: tuple[str, ...] = ()


class Ambiguous(Exception):
    """Several files are possible, and a guess could grade the wrong one."""

    def __init__(self, paths: Iterable[str]) -> None:
        super().__init__()
        self.paths = sorted(paths)


def tidy(name: str) -> str:
    """Return a path with `/`; an empty string if it is absolute or leads out of its folder."""
    path = name.replace("\\", "/")
    if path.startswith("/") or re.match(r"[A-Za-z]:", path) or "\0" in path:
        return ""
    parts = [part for part in path.split("/") if part not in {"", "."}]
    return "" if ".." in parts else "/".join(parts)


def is_junk(path: str) -> bool:
    """Return whether systems or editors left this file behind."""
    return any(part.startswith(".") or part.lower() in TOOLS for part in path.split("/"))


def is_packed(path: str) -> bool:
    """Return whether this is an archive's name."""
    return path.lower().endswith(ARCHIVES)


def is_notebook(path: str) -> bool:
    """Return whether it is named like a notebook, even as browsers save it: `mine.ipynb.txt`."""
    return re.search(r"\.ipynb(\.txt|\.json)?$", path, re.IGNORECASE) is not None


def choose(paths: Iterable[str], names: Sequence[str]) -> Choice:
    """Choose the files of the course among these paths. Raise Ambiguous if several are possible."""
    folders = _by_folder(paths)
    choice = _choose(folders, names)
    return choice._replace(notes=(*choice.notes, *_second_downloads(folders, choice)))


def _second_downloads(folders: Mapping[str, Collection[str]], choice: Choice) -> Iterator[str]:
    """Yield a note on each `engine (1).py` next to engine.py, because it may be the newer of the
    two.
    """
    for path in choice.files.values():
        folder, chosen = path[: path.rfind("/") + 1], PurePosixPath(path)
        second = re.compile(rf"{re.escape(chosen.stem)} ?\(\d+\)\.py")
        for file in filter(second.fullmatch, folders[folder]):
            yield f"{folder + file!r} is not graded, because {chosen.name} is next to it"


def _choose(folders: Mapping[str, Collection[str]], names: Sequence[str]) -> Choice:
    exact = {
        folder: {name: folder + name for name in names if name in files}
        for folder, files in folders.items()
    }
    top, first = exact.get("", {}), names[0]
    if first in top:
        return Choice(top)
    if whole := _nearest(folder for folder, found in exact.items() if first in found):
        mine = [folder for folder in whole if PurePosixPath(folder).name.lower() != _FINISHED]
        own = mine or whole
        above = exact.get(re.sub(r"[^/]*/$", "", own[0]), {}) if mine else {}
        if len(own) > 1 or not top.items() <= above.items() or above.keys() & exact[own[0]].keys():
            raise Ambiguous([*(folder + first for folder in own), *top.values()])
        left = tuple(f"{folder!r} is skipped" for folder in whole if folder not in own)
        # a package, and the code that uses it from the folder above
        return Choice({**above, **exact[own[0]]}, notes=left)
    near = [""] if top else _alike(folders, names[:1])
    alike = [folder + file for folder in near for file in folders[folder] if is_like(file, first)]
    if alike:
        _refuse_several(alike)
        return _guessed(near[0], folders[near[0]], names)
    if near := [""] if top else _nearest(folder for folder, found in exact.items() if found):
        if len(near) > 1:
            raise Ambiguous(path for folder in near for path in exact[folder].values())
        return Choice(exact[near[0]])
    if near := _alike(folders, names):
        _refuse_several(near)
        return _guessed(near[0], folders[near[0]], names)
    only = [folder + file for folder in folders for file in folders[folder] if _may_be_code(file)]
    _refuse_several(only)
    return Choice(only="".join(only))


def _alike(folders: Mapping[str, Collection[str]], names: Sequence[str]) -> list[str]:
    """Return the nearest folders that have a file like one of these."""
    return _nearest(
        folder
        for folder, files in folders.items()
        if any(is_like(file, name) for file in files for name in names)
    )


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    folders: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        if not is_junk(path) and path.count("/") <= MAX_DEPTH:
            folders.setdefault(f"{folder}/" if folder else "", []).append(name)
    return folders


def _nearest(folders: Iterable[str]) -> list[str]:
    """Return the least deeply nested folders."""
    found = list(folders)
    least = min((folder.count("/") for folder in found), default=0)
    return [folder for folder in found if folder.count("/") == least]


def _guessed(folder: str, files: Collection[str], names: Sequence[str]) -> Choice:
    chosen = {}
    for name in names:
        found = [name] if name in files else [file for file in files if is_like(file, name)]
        _refuse_several([folder + file for file in found])
        if found:
            chosen[name] = folder + found[0]
    notes = tuple(
        f"{path!r} is graded as {name}" for name, path in chosen.items() if path != folder + name
    )
    return Choice(chosen, notes=notes)


def _refuse_several(paths: Collection[str]) -> None:
    if len(paths) > 1:
        raise Ambiguous(paths)


def is_like(file: str, name: str) -> bool:
    """Return whether a file has this name or a variant that systems make: `Engine.py`,
    `doe_123_456_engine.py`, `engine (2).py`.
    """
    stem = re.escape(PurePosixPath(name).stem)
    found = re.fullmatch(rf"(?:(.*)[\W_])?{stem}{_COPY}\.py", file, re.IGNORECASE)
    return found is not None and not re.search(r"(^|[\W_])test$", found[1] or "", re.IGNORECASE)


def named_like(file: str, names: Sequence[str]) -> str:
    """Return the file of the course that a single file stands for: the one with that name, else one
    with a similar name, else the first.
    """
    return next((name for name in names if name == file), "") or next(
        (name for name in names if is_like(file, name)), names[0]
    )


def _may_be_code(file: str) -> bool:
    return (
        is_packed(file)
        or is_notebook(file)
        or (file.lower().endswith(".py") and not _NO_CODE.fullmatch(file))
    )


def module_name(file: str) -> str:
    """Return the name that imports a helper, without a system's prefix; empty if nothing does."""
    stem = PurePosixPath(_CANVAS.sub("", file, count=1)).stem
    return stem if file.endswith(".py") and stem.isidentifier() else ""
