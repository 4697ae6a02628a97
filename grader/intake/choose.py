"""Choose the file to grade among many: exact names first, then similar names, then the only
candidate.

It works on names alone, from a folder or an archive, and opens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import eq, itemgetter
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.errors import SubmissionError
from grader.intake.run_notes import bounded
from grader.worker.bounds import TOOLS

MAX_DEPTH = 2  # folders above a file
ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
_INIT = "/__init__.py"
_NO_CODE = r"(test_[^/]*|[^/]*_test|conftest|setup|__init__|__main__)\.py"
# lastfirst_12345_678901_engine.py
_CANVAS = re.compile(r"(?<![^_])[^_]+_(?:late_)?\d+_\d+_", re.IGNORECASE)
_COPY = r"(?:[ _-]*(?:\(\d+\)|copy)|[ _-]v?\d+)*"  # engine-1.py, engine (2).py, engine - Copy.py


class Choice(NamedTuple):
    """The path of each file of the course, the folders that these are imported from, and notes.

    If no file resembles one of the course's, `only` is the only candidate: Python, a notebook or an
    archive.
    """

    files: Mapping[str, str] = {}
    only: str = ""
    notes: tuple[str, ...] = ()
    folders: Collection[str] = ()


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


def choose(paths: Collection[str], names: Sequence[str], origin: str = "") -> Choice:
    """Choose the files of the course among these paths: from the nearest folder with the main file,
    by its name or a similar one, else with any other file.

    Raise SubmissionError, which names the `origin`, if several are possible, because a guess could
    grade the wrong one.
    """
    refuse = partial(_refuse_several, origin, names[0])
    packages = _packages({*paths}, names)
    folders = _by_folder((*paths, *packages))
    top = {"": folders[""]} if {*names} & {*folders.get("", ())} else folders
    steps = ((names[:1], eq, folders), (names[:1], is_like, top), (names, eq, top))
    for wanted, fits, searched in (*steps, (names, is_like, top)):
        found = {
            folder: [folder + file for file in files if any(fits(file, name) for name in wanted)]
            for folder, files in searched.items()
        }
        if any(found.values()):
            there = {folder: files for folder, files in found.items() if files}
            choice = _chosen(folders, names, there, fits, refuse)
            return choice._replace(
                files={name: packages.get(path, path) for name, path in choice.files.items()},
                folders={path[: path.rfind("/") + 1] for path in choice.files.values()},
            )
    files = [folder + file for folder in folders for file in folders[folder]]
    python = re.compile(rf"(?!(.*/)?{_NO_CODE}$).*\.py", re.IGNORECASE)
    only = [
        path for path in files if is_packed(path) or is_notebook(path) or python.fullmatch(path)
    ]
    refuse(only)
    return Choice(only="".join(only))


def _chosen(
    folders: Mapping[str, Collection[str]],
    names: Sequence[str],
    found: Mapping[str, list[str]],
    fits: Callable[[str, str], bool],
    refuse: Callable[[Collection[str]], None],
) -> Choice:
    """Choose from the nearest of the folders `found`, and from the one above, which may hold the
    code that uses a package.
    """
    least = min(folder.count("/") for folder in found)
    near = [folder for folder in found if folder.count("/") == least]
    mine = [folder for folder in near if not _is_finished(folder)] or near
    if len(mine) > 1:
        refuse([path for folder in mine for path in found[folder]])
    folder, above = mine[0], re.sub(r"[^/]*/$", "", mine[0])
    chosen: dict[str, str] = {}
    for name in names:
        files = [folder + file for file in folders[folder] if fits(file, name)]
        if folder + name not in files:
            refuse(files)
            is_above = name in folders.get(above, ()) and not _is_finished(folder)
            chosen.update((name, file) for file in files or [above + name] * is_above)
        else:
            chosen[name] = folder + name
    if left := {*names} & {*folders.get("", ())} - {*chosen.values()}:
        refuse([*found[folder], *left])
    notes = [
        f"{path!r} is graded as {name}"
        for name, path in chosen.items()
        if PurePosixPath(path).name != name
    ]
    notes += [f"{each!r} is skipped" for each in near if each not in mine]
    for path in chosen.values():
        at, main = path[: path.rfind("/") + 1], PurePosixPath(path)
        second = re.compile(rf"{re.escape(main.stem)} ?\(\d+\)\.py")
        notes += [
            f"{at + file!r} is not graded, because {main.name} is next to it"
            for file in filter(second.fullmatch, folders[at])
        ]
    return Choice(chosen, notes=tuple(notes))


def _packages(paths: set[str], names: Sequence[str]) -> dict[str, str]:
    """Return the packages that replace a file of the course, such as `nn/__init__.py` for nn.py. A
    package that contains files of the course replaces none.
    """
    folders = {path.removesuffix(_INIT): path for path in paths if path.endswith(_INIT)}
    return {
        f"{folder}.py": path
        for folder, path in folders.items()
        if f"{PurePosixPath(folder).name}.py" in names
        and paths.isdisjoint([f"{folder}.py", *(f"{folder}/{name}" for name in names)])
    }


def _is_finished(folder: str) -> bool:
    """Return whether this folder is not the learner's work, in a whole checkout."""
    return PurePosixPath(folder).name.lower() == "solutions"


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    kept = [path for path in paths if not is_junk(path)]
    is_alone = len({path.partition("/")[0] for path in kept}) == 1  # as a zip's top folder is
    deepest = MAX_DEPTH + is_alone
    places = sorted(path.rpartition("/") for path in kept if path.count("/") <= deepest)
    return {
        f"{folder}/" if folder else "": [name for *_, name in found]
        for folder, found in groupby(places, itemgetter(0))
    }


def _refuse_several(origin: str, main: str, paths: Collection[str]) -> None:
    if len(paths) > 1:
        meant = " or ".join(bounded(map(repr, sorted(paths)), "more"))
        raise SubmissionError(
            f"it is not clear what to grade in {origin!r}: {meant}",
            f"hand in only one of them, called {main}",
        )


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


def module_name(file: str) -> str:
    """Return the name that imports a helper, without a system's prefix; empty if nothing does."""
    stem = PurePosixPath(_CANVAS.sub("", file, count=1)).stem
    return stem if file.endswith(".py") and stem.isidentifier() else ""
