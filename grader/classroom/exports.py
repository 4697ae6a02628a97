"""Export the gradebook as CSV: for Canvas, for Moodle, or in a general format."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Union

from grader.classroom.entries import Entry
from grader.classroom.marks import Standing
from grader.classroom.roster import Person
from grader.errors import UsageError

Cell = Union[str, float, int, None]
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_MODIFIED = "Last modified (grade)"
_MAXIMUM = "Maximum Grade"
_MOODLE = (
    *("Identifier", "Full name", "Email address", "Grade", _MAXIMUM, _MODIFIED),
    "Feedback comments",
)


def export(
    file: Path,
    marks: Sequence[Standing],
    people: Sequence[Person],
    title: str,
    *,
    total_only: bool = False,
) -> bytes:
    """Return the content of an export. The name chooses the format: `canvas.csv`, `moodle.csv`, or
    any other `.csv`. Raise UsageError for another kind, or if Moodle would skip grades.
    """
    kind, name = file.suffix.lower(), file.stem.lower()
    if kind != ".csv":
        raise UsageError(
            f"{file.name!r} does not end in .csv", "use canvas.csv, moodle.csv or grades.csv"
        )
    if "canvas" in name:
        return _csv(_canvas(marks, people, title, total_only=total_only))
    if "moodle" in name:
        return _csv(_moodle(marks, people))
    return _csv(_listed(grades(marks, people, total_only=total_only)))


def grades(
    marks: Sequence[Standing], people: Sequence[Person] = (), *, total_only: bool = False
) -> list[dict[str, Cell]]:
    """Return a row for each learner: the mark, its reasons, and the points of each checkpoint."""
    known = {person.id: person for person in people}
    points = [] if total_only else _columns(one.entry for one in marks if one.entry)
    rows = []
    for one in marks:
        entry, own = one.entry, known.get(one.learner)
        row: dict[str, Cell] = {
            "id": one.learner,
            "name": one.name,
            "section": own.section if own else "",
            "group": own.group if own else "",
            "outcome": one.outcome,
            "reason": one.reason,
            "score": one.points,
            "max_score": one.of if entry else None,
            "late": int(one.late) if entry else None,
            "comments": one.note,
            "received": _date(entry.received) if entry else None,
            "sha256": entry.key.sha256 if entry else None,
        }
        earned = _earned(entry)
        row.update({column: earned.get(column) for column in points})
        rows.append(row)
    return rows


def _columns(entries: Iterable[Entry]) -> list[str]:
    """Return the columns' names: phases first, then checkpoints, in the order of the course."""
    columns = dict.fromkeys(
        mark.column
        for entry in sorted(entries, key=lambda entry: -len(entry.marks))
        for mark in entry.marks
    )
    return [*dict.fromkeys(column.partition(".")[0] for column in columns), *columns]


def _earned(entry: Entry | None) -> dict[str, Cell]:
    """Return the points by phase and by checkpoint, without those that could not be judged."""
    if entry is None:
        return {}
    unknown = {mark.id for mark in entry.marks if mark.verdict == "error"}
    lost = {id.partition(".")[0] for id in unknown}
    phases: dict[str, Cell] = {}
    for mark in entry.marks:
        phase = mark.id.partition(".")[0]
        if phase not in lost:
            phases[phase] = int(phases.get(phase) or 0) + mark.earned
    return {
        **phases,
        **{
            mark.column: mark.earned if not mark.bonus else int(mark.verdict == "passed")
            for mark in entry.marks
            if mark.id not in unknown
        },
    }


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _listed(rows: Sequence[Mapping[str, Cell]]) -> list[list[Cell]]:
    head = list(rows[0]) if rows else ["id", "name"]
    return [list(head), *([row[column] for column in head] for row in rows)]


def _canvas(
    marks: Sequence[Standing], people: Sequence[Person], title: str, *, total_only: bool
) -> list[list[Cell]]:
    """Return the rows in the format that Canvas exports and imports. The columns of Canvas's own
    list are copied from the roster unchanged.
    """
    known = {person.id: person for person in people}
    graded = [one.entry for one in marks if one.entry and one.entry.outcome == "graded"]
    most = max(graded, key=lambda entry: entry.max_score, default=None)
    possible = _possible(most) if most and not total_only else {}
    best = next((one.of for one in marks), None)
    rows: list[list[Cell]] = [
        [*_CANVAS, title, *(f"{title} {phase}" for phase in possible)],
        ["    Points Possible", "", "", "", "", best, *possible.values()],
    ]
    for one in marks:
        own = known.get(one.learner)
        who = [own.row.get(column, "") if own else "" for column in _CANVAS]
        who[0], who[1] = who[0] or one.name, who[1] or one.learner
        who[4] = who[4] or (own.section if own else "")
        earned = _earned(one.entry)
        rows.append([*who, one.points, *(earned.get(phase) for phase in possible)])
    return rows


def _possible(entry: Entry) -> dict[str, int]:
    possible: dict[str, int] = {}
    for mark in entry.marks:
        phase = mark.id.partition(".")[0]
        possible[phase] = possible.get(phase, 0) + mark.points
    return possible


def _moodle(marks: Sequence[Standing], people: Sequence[Person]) -> list[list[Cell]]:
    """Return Moodle's grading worksheet: identifiers, grades, and comments that say what passes."""
    _refuse_skipped(marks, people)
    known = {person.id: person.row for person in people}
    rows: list[list[Cell]] = [list(_MOODLE)]
    for one in marks:
        own = known.get(one.learner, {})
        identifier = own.get("Identifier") or (
            f"Participant {one.learner}" if one.learner.isdigit() else one.learner
        )
        mail = own.get("Email address") or own.get("email") or ""
        modified = own.get(_MODIFIED, "").removeprefix("-")
        rows.append([identifier, one.name, mail, one.points, one.of, modified, comment(one)])
    return rows


def _refuse_skipped(marks: Sequence[Standing], people: Sequence[Person]) -> None:
    """Raise UsageError if the roster's maximum differs, because Moodle skips higher grades."""
    maximum = next((person.row[_MAXIMUM] for person in people if _MAXIMUM in person.row), "")
    best = next((one.of for one in marks if one.of is not None), None)
    with suppress(ValueError):
        wanted = float(maximum.replace(",", "."))
        if best is not None and wanted != best:
            raise UsageError(
                f"these grades are out of {best:g}, and the assignment in Moodle is out of"
                f" {wanted:g}",
                f"add --out-of {wanted:g}",
            )


def comment(one: Standing) -> str:
    """Return what passes, and what was changed by hand, in one line."""
    if one.entry is None or one.entry.outcome != "graded":
        return "; ".join(filter(None, (one.reason or one.outcome, one.note)))
    earned, possible = _earned(one.entry), _possible(one.entry)
    phases = ", ".join(
        f"{phase} {earned.get(phase, 0)}/{points}" for phase, points in possible.items()
    )
    return "; ".join(filter(None, (phases, one.note)))


def _csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(
        [[_harmless(cell) for cell in row] for row in rows]
    )
    return stream.getvalue().encode("utf-8-sig")


# ASCII and full-width signs, also after characters that may end a cell in a spreadsheet
_FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])")
# also what turns the direction of writing round, or begins a new line unseen
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)


def _harmless(cell: Cell) -> Cell:
    """Escape text that a spreadsheet would run as a formula or a terminal as a command."""
    if not isinstance(cell, str):
        return cell
    return _FORMULA.sub(
        "'", _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cell)
    )
