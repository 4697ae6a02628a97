"""Downloads from Canvas and Moodle, which put the owner into the names of files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.classroom.handed_in import SUFFIXES, Handed, is_folder, look, of_one
from grader.classroom.times import IN_TIME, LATE, UNKNOWN
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
_TYPED = re.compile(r".+?_[0-9]+_assignsubmission_onlinetext(_.*)?", re.IGNORECASE | re.DOTALL)


def explained_names(entries: Sequence[Path]) -> tuple[str, dict[Path, re.Match[str]]]:
    """Return the layout, Canvas or Moodle, that explains more of the names, and those names."""
    return max(
        (("Canvas", _explained(entries, _CANVAS)), ("Moodle", _explained(entries, _MOODLE))),
        key=lambda found: len(found[1]),
    )


def read_names(explained: Mapping[Path, re.Match[str]]) -> list[Handed]:
    """Return what each learner handed in."""
    return _by_learner(_without_comments(explained))


def is_typed(name: str) -> bool:
    """Return whether a learner typed this text into Moodle next to the files."""
    return bool(_TYPED.fullmatch(name))


def is_moodle(name: str) -> bool:
    """Return whether Moodle gave out a file or folder of this name."""
    return bool(_MOODLE.fullmatch(name))


def _explained(entries: Iterable[Path], pattern: re.Pattern[str]) -> dict[Path, re.Match[str]]:
    """Return the entries whose names match this layout.

    Canvas: `doejane_12345_678910_engine.py` or `doejane_LATE_12345_678910_engine.py`. Moodle: `Jane
    Doe_12345_assignsubmission_file`, as a folder or as a prefix of each file's name.
    """
    found = ((entry, pattern.fullmatch(printable(entry.name))) for entry in entries)
    return {
        entry: match
        for entry, match in found
        if match and (pattern is _MOODLE if is_folder(entry) else match["file"])
    }


def _without_comments(explained: Mapping[Path, re.Match[str]]) -> dict[Path, re.Match[str]]:
    """Return the entries without the text that learners typed who also handed in files."""
    typed = {entry for entry in explained if is_typed(printable(entry.name))}
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
            (match["id"], match["name"], entry if is_folder(entry) else None), []
        ).append((match, entry))
    return undisputed([_together(found) for found in groups.values()])


def _together(found: Sequence[tuple[re.Match[str], Path]]) -> Handed:
    learner, name = found[0][0]["id"], found[0][0]["name"]
    timing = UNKNOWN
    if found[0][0].re is _CANVAS:
        timing = LATE if any(match["late"] for match, _ in found) else IN_TIME
    if len(found) == 1:
        return of_one(learner, name, found[0][1], timing=timing)
    received = max(look(entry)[0] for _, entry in found)
    try:
        return Handed(learner, name, None, _named(found), received, timing)
    except _TwoOfOneName as error:
        return Handed(
            learner,
            name,
            None,
            {printable(entry.name): entry for _, entry in found},
            received,
            timing,
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
        if shown in files or (
            shown != short and short in names and short.lower().endswith(SUFFIXES)
        ):
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


def undisputed(found: Sequence[Handed]) -> list[Handed]:
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
    owners = " and ".join(sorted(map(repr, names))[:4])
    return replace(
        one,
        learner=f"{one.name} ({one.learner})",
        trouble=one.trouble
        or f"{one.learner} is the id of both {owners}, so it is not clear whose submission this is",
    )


def feedback_name(origin: str) -> str:
    """Return what Canvas or Moodle takes back as feedback on a submission, without an ending.
    Return an empty text for other layouts.

    Canvas looks for the first two numbers between underscores: the learner and the file. Moodle
    splits the name at the underscores into a name, an id, `assignsubmission` and `file`.
    """
    for name in (part.rpartition("/")[2] for part in origin.split(", ")):
        if match := _MOODLE.fullmatch(name):
            return f"{match['name'].replace('_', '-')}_{match['id']}_assignsubmission_file_feedback"
        if match := _CANVAS.fullmatch(name):
            late = match["late"] or ""
            return f"{match['name']}_{late}{match['id']}_{match['submission']}_feedback"
    return ""
