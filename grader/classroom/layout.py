"""Who handed in what: the layouts in which course systems give out the files of a class.

Names only are looked at here. Files are read by whoever grades them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.candidates import is_junk
from grader.errors import UsageError
from grader.submission import printable

_CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>late_)?(?P<id>\d+)_(?P<submission>\d+)_(?P<file>.+)", re.IGNORECASE)
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)", re.IGNORECASE)
_GRADESCOPE = "submission_metadata.yml"
_KINDS = (".py", ".ipynb", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")


@dataclass(frozen=True)
class Handed:
    """What one learner handed in: a folder or a file, or files under the names that they had; when, and whether it was late.

    `learner` is the id that the course system knows them by, or the name of their folder or file.
    """

    learner: str
    name: str
    path: Path | None
    files: Mapping[str, Path]
    received: float
    late: bool = False

    @property
    def origin(self) -> str:
        """What a person calls it."""
        return printable(self.path) if self.path is not None else ", ".join(sorted(self.files))


def find_handed_in(folder: Path) -> tuple[str, list[Handed]]:
    """The layout, in a word, and all that was handed in, by learner. Raises UsageError for a folder that is not there, or empty."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {printable(folder)!r}", "name the folder that holds what your class handed in")
    entries = sorted(entry for entry in folder.iterdir() if not is_junk(entry.name))
    if (folder / _GRADESCOPE).is_file():
        return "Gradescope", _gradescope(folder)
    for layout, find in (("Moodle", _moodle), ("Canvas", _canvas)):
        found = find(entries)
        if found and _most(found, entries):
            return layout, found
    plain = [_plain(entry) for entry in entries if entry.is_dir() or entry.name.lower().endswith(_KINDS)]
    if not plain:
        raise UsageError(f"nothing was handed in in {printable(folder)!r}", "a folder of folders, files, notebooks or archives is wanted")
    return "folder", plain


def _most(found: list[Handed], entries: list[Path]) -> bool:
    """Whether a layout explains more than half of what is there."""
    explained = sum(len(handed.files) or 1 for handed in found)
    return 2 * explained > len([entry for entry in entries if entry.is_dir() or entry.name.lower().endswith(_KINDS)])


def _plain(entry: Path) -> Handed:
    name = entry.name if entry.is_dir() else re.sub(r"(\.tar)?\.\w+$", "", entry.name)
    return Handed(printable(name), printable(name), entry, {}, _received(entry))


def _canvas(entries: list[Path]) -> list[Handed]:
    """`doejane_12345_678910_engine.py`, or `doejane_LATE_12345_678910_engine.py`, all in one folder: one learner's newest submission."""
    return _grouped(entries, _CANVAS, lambda match: bool(match["late"]))


def _moodle(entries: list[Path]) -> list[Handed]:
    """`Jane Doe_12345_assignsubmission_file` as a folder, or that before each file."""
    folders = [
        Handed(match["id"], match["name"], entry, {}, _received(entry))
        for entry in entries
        if entry.is_dir() and (match := _MOODLE.fullmatch(entry.name))
    ]
    return folders or _grouped(entries, _MOODLE, lambda _match: False)


def _grouped(entries: list[Path], pattern: re.Pattern[str], late: Callable[[re.Match[str]], bool]) -> list[Handed]:
    groups: dict[str, list[tuple[re.Match[str], Path]]] = {}
    for entry in entries:
        match = pattern.fullmatch(entry.name)
        if match and entry.is_file() and match["file"]:
            groups.setdefault(match["id"], []).append((match, entry))
    return [_together(learner, found, late) for learner, found in groups.items()]


def _together(learner: str, found: list[tuple[re.Match[str], Path]], late: Callable[[re.Match[str]], bool]) -> Handed:
    name, received = found[0][0]["name"], max(_received(entry) for _, entry in found)
    if len(found) == 1:
        return Handed(learner, name, found[0][1], {}, received, late(found[0][0]))
    files = {_without_number(match["file"]): entry for match, entry in found}
    return Handed(learner, name, None, files, received, any(late(match) for match, _ in found))


def _without_number(file: str) -> str:
    """`engine-1.py`, which Canvas makes of an `engine.py` that is handed in again."""
    return re.sub(r"-\d+(\.\w+)$", r"\1", file)


def _gradescope(folder: Path) -> list[Handed]:
    """Folders called `submission_123`, and a file that says whose they are."""
    import yaml

    try:
        table = yaml.safe_load((folder / _GRADESCOPE).read_text(encoding="utf-8"))
        return list(_submissions(folder, table))
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, TypeError, KeyError) as error:
        told = f"{printable(folder / _GRADESCOPE)} cannot be understood: {type(error).__name__}"
        raise UsageError(told, "export the submissions again, or take the file away to go by the folders alone") from error


def _submissions(folder: Path, table: dict[str, Any]) -> Iterator[Handed]:
    for key, entry in table.items():
        who = entry[":submitters"][0]
        where = folder / str(key)
        if where.is_dir() and not is_junk(str(key)) and where.parent == folder:
            learner = str(who.get(":sid") or who.get(":email") or key)
            yield Handed(learner, str(who.get(":name") or learner), where, {}, _stamp(entry.get(":created_at"), where))


def _stamp(created: Any, where: Path) -> float:
    return float(created.timestamp()) if hasattr(created, "timestamp") else _received(where)


def _received(entry: Path) -> float:
    """When it was written last, files inside of a folder included."""
    newest = entry.stat(follow_symlinks=False).st_mtime
    if entry.is_dir() and not entry.is_symlink():
        inside = (path.stat(follow_symlinks=False).st_mtime for _, path in zip(range(500), entry.rglob("*")))
        newest = max(newest, *inside, newest)
    return newest
