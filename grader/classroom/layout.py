"""Find out who handed in what, from the layouts in which course systems export a class's files.

This module looks only at names; `grader.classroom.grading` reads the files. Learners choose the
names, so every text in a `Handed` is made printable.
"""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.intake.choose import is_junk
from grader.intake.submission import printable

_CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?P<late>late_)?(?P<id>[0-9]+)_(?P<submission>[0-9]+)_(?P<file>.+)",
    re.IGNORECASE | re.DOTALL,
)
# the first number is the participant's id
_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_[^\W_]*_?(?P<file>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MOODLE_MARK = re.compile(r"_[0-9]+_assignsubmission_", re.IGNORECASE)
# what a learner typed into Moodle next to the files
_TYPED = re.compile(r".+?_[0-9]+_assignsubmission_onlinetext(_.*)?", re.IGNORECASE | re.DOTALL)
_GRADESCOPE = "submission_metadata.yml"
_NBGRADER = "timestamp.txt"
_KINDS = (".py", ".ipynb", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")
_MAX_LOOKED_AT = 500  # files of a submission whose times are checked
_MAX_SHOWN = 200
_LAST_SECOND = 253402300799.0  # the end of the year 9999, the last that datetime supports


@dataclass(frozen=True)
class Handed:
    """What one learner handed in: a folder, a file, or several files by their original names; when;
    and whether it was late.

    `learner` is the id that the course system knows them by, or the name of their folder or file.
    `trouble` says why this must not be graded, `unreadable` which part of it cannot be read.
    `partners` have the ids and names of everybody else who gets the mark.
    """

    learner: str
    name: str
    path: Path | None
    files: Mapping[str, Path]
    received: float
    late: bool = False
    trouble: str = ""
    unreadable: str = ""
    partners: tuple[tuple[str, str], ...] = ()

    @property
    def origin(self) -> str:
        """What a person calls it."""
        if self.path is not None:
            return printable(self.path)
        return ", ".join(sorted(printable(file.name) for file in self.files.values()))

    @property
    def places(self) -> list[Path]:
        """Return the files and folders that belong to the submission."""
        return [*self.files.values()] if self.path is None else [self.path]


def find_handed_in(folder: Path, assignment: str | None = None) -> tuple[str, list[Handed]]:
    """The layout, in a word, and all that was handed in, by learner. In nbgrader's layout,
    `assignment` chooses one of several. Raises UsageError for a folder that is not there, or empty.
    """
    entries = _entries(folder)
    if os.path.isfile(folder / _GRADESCOPE):  # noqa: PTH113 - Path.is_file raises for what is not permitted
        return "Gradescope", _gradescope(folder)
    submissions = [
        entry
        for entry in entries
        if _is_folder(entry) or entry.is_symlink() or printable(entry.name).lower().endswith(_KINDS)
    ]
    layout, explained = max(
        (("Canvas", _explained(entries, _CANVAS)), ("Moodle", _explained(entries, _MOODLE))),
        key=lambda found: len(found[1]),
    )
    if 2 * len(explained) > len(submissions):
        return layout, _by_learner(_without_comments(explained))
    if kept := _of_nbgrader(submissions):
        return "nbgrader", _one_assignment(kept, assignment)
    if not submissions:
        raise UsageError(
            f"there are no submissions in {printable(folder)!r}",
            "name a folder that contains folders, files, notebooks or archives",
        )
    return "folder", [_plain(entry) for entry in submissions]


def unexplained(folder: Path, handed: Iterable[Handed]) -> list[str]:
    """Return the names of entries in the folder that belong to none of these submissions."""
    known = {place for one in handed for place in one.places} | {folder / _GRADESCOPE}
    known |= {place.parent for place in known if place.parent != folder}
    return [
        printable(entry.name)
        for entry in _entries(folder)
        if entry not in known and not _TYPED.fullmatch(printable(entry.name))
    ]


def _entries(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {printable(folder)!r}",
            "name the folder with the submissions of your class",
        )
    try:
        return sorted(
            entry for entry in folder.iterdir() if not _is_left_behind(printable(entry.name))
        )
    except OSError as error:
        raise UsageError(
            f"{printable(folder)!r} cannot be read: {error.strerror}", "check its permissions"
        ) from error


def _is_left_behind(name: str) -> bool:
    """Return whether a system or an editor left this file behind. A Moodle name may also begin with
    a dot, because it begins with the person's name.
    """
    return is_junk(name) and (name.startswith("._") or not _MOODLE.fullmatch(name))


def _is_folder(entry: Path) -> bool:
    return os.path.isdir(entry)  # noqa: PTH112 - as above


def _plain(entry: Path) -> Handed:
    name = printable(entry.name)
    learner = name if _is_folder(entry) else re.sub(r"(\.tar)?\.\w+$", "", name)
    return _of_one(learner, learner, entry)


def _of_one(
    learner: str, name: str, entry: Path, received: float = 0.0, *, late: bool = False
) -> Handed:
    """Return the submission that consists of a single folder or file."""
    newest, unreadable = _look(entry)
    return Handed(learner, name, entry, {}, received or newest, late, unreadable=unreadable)


# --- Canvas and Moodle, which put the owner into the name ---


def _explained(entries: Iterable[Path], pattern: re.Pattern[str]) -> dict[Path, re.Match[str]]:
    """Return the entries whose names match this layout.

    Canvas: `doejane_12345_678910_engine.py` or `doejane_LATE_12345_678910_engine.py`. Moodle: `Jane
    Doe_12345_assignsubmission_file`, as a folder or as a prefix of each file's name.
    """
    found = ((entry, pattern.fullmatch(printable(entry.name))) for entry in entries)
    return {
        entry: match
        for entry, match in found
        if match and (pattern is _MOODLE if _is_folder(entry) else match["file"])
    }


def _without_comments(explained: Mapping[Path, re.Match[str]]) -> dict[Path, re.Match[str]]:
    """The entries, without the text that somebody typed who also handed in files."""
    typed = {entry for entry in explained if _TYPED.fullmatch(printable(entry.name))}
    with_files = {match["id"] for entry, match in explained.items() if entry not in typed}
    return {
        entry: match
        for entry, match in explained.items()
        if entry not in typed or match["id"] not in with_files
    }


def _by_learner(explained: Mapping[Path, re.Match[str]]) -> list[Handed]:
    groups: dict[tuple[str, str, Path | None], list[tuple[re.Match[str], Path]]] = {}
    for entry, match in explained.items():
        groups.setdefault(
            (match["id"], match["name"], entry if _is_folder(entry) else None), []
        ).append((match, entry))
    return _undisputed([_together(found) for found in groups.values()])


def _together(found: Sequence[tuple[re.Match[str], Path]]) -> Handed:
    learner, name = found[0][0]["id"], found[0][0]["name"]
    late = any(match.groupdict().get("late") for match, _ in found)
    if len(found) == 1:
        return _of_one(learner, name, found[0][1], late=late)
    received = max(_look(entry)[0] for _, entry in found)
    try:
        return Handed(learner, name, None, _named(found), received, late)
    except _TwoOfOneName as error:
        return Handed(
            learner,
            name,
            None,
            {printable(entry.name): entry for _, entry in found},
            received,
            late,
            trouble=str(error),
        )


class _TwoOfOneName(Exception):
    pass


def _named(found: Sequence[tuple[re.Match[str], Path]]) -> dict[str, Path]:
    """Return the files by their original names. Canvas renames an `engine.py` that is handed in
    again to `engine-1.py`.

    Raise _TwoOfOneName if two files could have the same original name. `plot-1.png` and
    `plot-2.png` keep their names if there is no `plot.png`.
    """
    names = [match["file"] for match, _ in found]
    without = [re.sub(r"-[0-9]+(\.\w+)$", r"\1", name) for name in names]
    files: dict[str, Path] = {}
    for name, short, (_, entry) in zip(names, without, found):
        shown = short if without.count(short) == 1 else name
        if shown in files or (shown != short and short in names and short.lower().endswith(_KINDS)):
            both = " and ".join(
                sorted(
                    repr(printable(other.name))
                    for other, own in zip((entry for _, entry in found), without)
                    if own == short
                )
            )
            raise _TwoOfOneName(f"{both} both stand for {short!r}")
        files[shown] = entry
    return files


def _undisputed(found: Sequence[Handed]) -> list[Handed]:
    """Mark submissions as disputed if several names claim one id. A name keeps the id only if it is
    the only one whose files mention no second id.
    """
    claims: dict[str, set[str]] = {}
    clear: dict[str, set[str]] = {}
    for one in found:
        claims.setdefault(one.learner, set()).add(one.name)
        if not any(len(_MOODLE_MARK.findall(printable(place.name))) > 1 for place in one.places):
            clear.setdefault(one.learner, set()).add(one.name)
    return [
        (
            one
            if {one.name} == (clear.get(one.learner) or claims[one.learner])
            else _disputed(one, claims[one.learner])
        )
        for one in found
    ]


def _disputed(one: Handed, names: Iterable[str]) -> Handed:
    told = " and ".join(sorted(map(repr, names))[:4])
    return replace(
        one,
        learner=f"{one.name} ({one.learner})",
        trouble=one.trouble
        or f"{one.learner} is the id of both {told}, so it is not clear whose submission this is",
    )


# --- nbgrader: submitted/STUDENT/ASSIGNMENT/files ---


def _of_nbgrader(students: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the folders of each assignment, or nothing if nbgrader collected none of them."""
    assignments: dict[str, list[Path]] = {}
    for student in students:
        if _is_folder(student) and not student.is_symlink():
            with suppress(OSError):
                for inside in sorted(student.iterdir()):
                    if _is_folder(inside) and not is_junk(printable(inside.name)):
                        assignments.setdefault(printable(inside.name), []).append(inside)
    folders = [folder for found in assignments.values() for folder in found]
    return assignments if any(os.path.isfile(one / _NBGRADER) for one in folders) else {}  # noqa: PTH113 - as above


def _one_assignment(kept: Mapping[str, Sequence[Path]], assignment: str | None) -> list[Handed]:
    name = assignment or (next(iter(kept)) if len(kept) == 1 else "")
    if name not in kept:
        told = f"no assignment {name!r}" if name else f"{len(kept)} assignments"
        raise UsageError(
            f"the folder has {told}: {', '.join(sorted(kept))}",
            f"choose one: --assignment {min(kept)}",
        )
    return [
        _of_one(learner, learner, folder, _collected(folder))
        for folder in kept[name]
        if (learner := printable(folder.parent.name))
    ]


def _collected(folder: Path) -> float:
    """Return when nbgrader says that it was handed in, or 0."""
    with suppress(OSError, ValueError, OverflowError):
        text = (folder / _NBGRADER).read_text(encoding="utf-8").strip()
        stamp, is_utc, _ = text.partition(" UTC")
        found = datetime.fromisoformat(stamp)
        return _possible((found.replace(tzinfo=timezone.utc) if is_utc else found).timestamp())
    return 0.0


def feedback_name(origin: str) -> str:
    """Return what Canvas or Moodle takes back as feedback on a submission, without an ending.
    Return an empty text for other layouts.
    """
    for name in (part.rpartition("/")[2] for part in origin.split(", ")):
        if match := _MOODLE.fullmatch(name):
            return f"{match['name']}_{match['id']}_assignsubmission_file_feedback"
        if match := _CANVAS.fullmatch(name):
            late = match["late"] or ""
            return f"{match['name']}_{late}{match['id']}_{match['submission']}_feedback"
    return ""


# --- Gradescope ---


def _gradescope(folder: Path) -> list[Handed]:
    """Read folders named `submission_123` and the file that lists their owners."""
    import yaml

    try:
        table = yaml.load((folder / _GRADESCOPE).read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506 - every value is text: a name may look like a date
        listed = [(printable(str(key)), entry) for key, entry in table.items()]
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, RecursionError) as error:
        told = f"{printable(folder / _GRADESCOPE)} is damaged: {type(error).__name__}"
        raise UsageError(
            told, "export the submissions again, or remove the file to use the folder names"
        ) from error
    except OSError as error:
        raise UsageError(
            f"{printable(folder / _GRADESCOPE)} cannot be read: {error.strerror}",
            "check its permissions",
        ) from error
    return _undisputed(list(_submissions(folder, listed)))


def _submissions(folder: Path, listed: Iterable[tuple[str, Any]]) -> Iterator[Handed]:
    for key, entry in listed:
        where = folder / key
        if where.parent != folder or is_junk(key):
            continue
        (learner, name), *partners = _submitters(entry) or [(key, key)]
        found = replace(_of_one(learner, name, where, _stamp(entry)), partners=tuple(partners))
        yield (
            found
            if os.path.lexists(where)
            else replace(
                found,
                trouble=f"{_GRADESCOPE} lists {key!r}, but that folder does not exist",
                unreadable="",
            )
        )


def _submitters(entry: Any) -> list[tuple[str, str]]:
    """Return the id and the name of everybody who handed it in, if that is known."""
    found = []
    with suppress(AttributeError, TypeError, KeyError):
        for one in entry[":submitters"]:
            who = {key: printable(value) for key, value in one.items() if isinstance(value, str)}
            if learner := who.get(":sid") or who.get(":email"):
                found.append((learner, who.get(":name") or learner))
    return found


def _stamp(entry: Any) -> float:
    """Return when it was handed in, or 0.0 if that is not known."""
    import yaml

    with suppress(yaml.YAMLError, AttributeError, TypeError, KeyError, ValueError, OverflowError):
        return _possible(yaml.safe_load(entry[":created_at"]).timestamp())
    return 0.0


# --- the files of a submission ---


def _look(entry: Path) -> tuple[float, str]:
    """Return when the newest file was written, including files inside a folder, and why the first
    unreadable one cannot be read.
    """
    newest, unreadable = 0.0, ""
    waiting = deque([entry])
    for _ in range(_MAX_LOOKED_AT):
        if not waiting:
            break
        place = waiting.popleft()
        try:
            found = place.stat(follow_symlinks=False)
            newest = max(newest, _possible(found.st_mtime))
            if stat.S_ISDIR(found.st_mode):
                with os.scandir(place) as inside:
                    waiting += [
                        place / name
                        for name in sorted(other.name for other in islice(inside, _MAX_LOOKED_AT))
                    ]
        except OSError as error:
            shown = printable(place)
            unreadable = (
                unreadable
                or f"{shown if len(shown) <= _MAX_SHOWN else shown[:_MAX_SHOWN] + '…'!r} cannot be read: {error.strerror}"  # noqa: E501
            )
    return newest, unreadable


def _possible(seconds: float) -> float:
    """Limit a time to the years that dates support: an archive can contain any value."""
    return min(max(0.0, float(seconds)), _LAST_SECOND)
