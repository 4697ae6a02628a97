"""Downloads from Canvas and Moodle, which put the owner into the names of files and folders."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.classroom.handed_in import SUFFIXES, Handed, is_folder
from grader.classroom.times import IN_TIME, LATE, UNKNOWN
from grader.intake.submission import printable

_CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?P<late>late_)?(?P<id>[0-9]+)_(?P<submission>[0-9]+)_(?P<file>.+)",
    re.IGNORECASE | re.DOTALL,
)
# the first number is the participant's id
MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_[^\W_]*_?(?P<file>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MOODLE_MARK = re.compile(r"_[0-9]+_assignsubmission_", re.IGNORECASE)
TYPED = re.compile(r".+?_[0-9]+_assignsubmission_onlinetext(_.*)?", re.IGNORECASE | re.DOTALL)


def explained_names(entries: Sequence[Path]) -> tuple[str, dict[Path, re.Match[str]]]:
    """Return the layout, Canvas or Moodle, that explains more of the names, and those names."""
    return max(
        (("Canvas", _explained(entries, _CANVAS)), ("Moodle", _explained(entries, MOODLE))),
        key=lambda found: len(found[1]),
    )


def _explained(entries: Iterable[Path], pattern: re.Pattern[str]) -> dict[Path, re.Match[str]]:
    """Return the entries whose names match this layout.

    Canvas: `doejane_12345_678910_engine.py` or `doejane_LATE_12345_678910_engine.py`. Moodle: `Jane
    Doe_12345_assignsubmission_file`, as a folder or as a prefix of each file's name.
    """
    found = ((entry, pattern.fullmatch(printable(entry.name))) for entry in entries)
    return {
        entry: match
        for entry, match in found
        if match and (pattern is MOODLE if is_folder(entry) else match["file"])
    }


def read_names(explained: Mapping[Path, re.Match[str]]) -> list[Handed]:
    """Return the files that each learner handed in, without the text typed next to them."""
    typed = {entry for entry in explained if TYPED.fullmatch(printable(entry.name))}
    with_files = {match["id"] for entry, match in explained.items() if entry not in typed}
    groups: dict[tuple[str, str, Path | None], list[tuple[re.Match[str], Path]]] = {}
    for entry, match in explained.items():
        if entry not in typed or match["id"] not in with_files:
            key = match["id"], match["name"], entry if is_folder(entry) else None
            groups.setdefault(key, []).append((match, entry))
    return undisputed([_together(found) for found in groups.values()])


def _together(found: Sequence[tuple[re.Match[str], Path]]) -> Handed:
    match, _ = found[0]
    late = any(match.groupdict().get("late") for match, _ in found)
    timing = UNKNOWN if match.re is MOODLE else LATE if late else IN_TIME
    files, trouble = _named(found)
    return Handed(match["id"], match["name"], files, timing=timing, trouble=trouble)


def _named(found: Sequence[tuple[re.Match[str], Path]]) -> tuple[dict[str, Path], str]:
    """Return the files by their original names. If `engine.py` is handed in again, Canvas renames
    it to `engine-1.py`.

    If two files could have the same original name, return their own names and say so. `plot-1.png`
    and `plot-2.png` keep their names if there is no `plot.png`.
    """
    names, entries = [match["file"] for match, _ in found], [entry for _, entry in found]
    originals = [re.sub(r"-[0-9]+(\.\w+)$", r"\1", name) for name in names]
    for name, original in zip(names, originals):
        is_code = original.lower().endswith(SUFFIXES)
        if names.count(name) > 1 or (name != original and original in names and is_code):
            own = {printable(entry.name): entry for entry in entries}
            both = sorted(repr(name) for name, other in zip(own, originals) if other == original)
            return own, f"{' and '.join(both)} both stand for {original!r}"
    shown = [one if originals.count(one) == 1 else name for name, one in zip(names, originals)]
    return dict(zip(shown, entries)), ""


def undisputed(found: Sequence[Handed]) -> list[Handed]:
    """Mark submissions as disputed if several names claim one id. A name keeps the id only if it is
    the only one whose files mention no second id.
    """
    claims, clear = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for one in found:
        claims[one.learner].add(one.name)
        if all(len(_MOODLE_MARK.findall(printable(place.name))) < 2 for place in one.places):
            clear[one.learner].add(one.name)
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
    """Return the file name that Canvas or Moodle expects for feedback on a submission, without an
    ending. Return an empty string for other layouts.

    Canvas looks for the first two numbers between underscores: the learner and the file. Moodle
    splits the name at the underscores into a name, an id, `assignsubmission` and `file`.
    """
    for name in (part.rpartition("/")[2] for part in origin.split(", ")):
        if match := MOODLE.fullmatch(name):
            return f"{match['name'].replace('_', '-')}_{match['id']}_assignsubmission_file_feedback"
        if match := _CANVAS.fullmatch(name):
            late = match["late"] or ""
            return f"{match['name']}_{late}{match['id']}_{match['submission']}_feedback"
    return ""
