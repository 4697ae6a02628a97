"""Export the gradebook as CSV: for Canvas, for Moodle, or in a general format."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Union

from grader.classroom.gradebook import Entry
from grader.classroom.roster import Person
from grader.errors import UsageError

Cell = Union[str, float, int, None]
NOTHING = "not handed in"
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def export(
    file: Path,
    entries: Mapping[str, Entry],
    names: Mapping[str, str],
    people: Sequence[Person],
    title: str,
) -> bytes:
    """Return the content of an export. The file name selects the format: `canvas` or `moodle` in
    the name of a `.csv` file; any other `.csv` file gets the general format.

    `entries` maps each learner to the grading that counts, `names` maps all learners to their
    names. Raise UsageError for any other kind of file.
    """
    kind, name = file.suffix.lower(), file.stem.lower()
    if kind != ".csv":
        raise UsageError(
            f"{file.name!r} does not end in .csv", "use canvas.csv, moodle.csv or grades.csv"
        )
    if "canvas" in name:
        return _csv(_canvas(entries, names, people, title))
    return _csv(
        _moodle(entries, names, people) if "moodle" in name else _listed(grades(entries, names))
    )


def grades(entries: Mapping[str, Entry], names: Mapping[str, str]) -> list[dict[str, Cell]]:
    """Return a row for each learner: who, the outcome, and the points in total, for each phase and
    for each checkpoint.
    """
    points = _columns(entries.values())
    rows = []
    for learner, name in sorted(names.items()):
        entry = entries.get(learner)
        row: dict[str, Cell] = {
            "id": learner,
            "name": name,
            "outcome": entry.outcome if entry else NOTHING,
            "score": entry.score if entry else None,
            "max_score": entry.max_score if entry else None,
            "late": int(entry.late) if entry else None,
            "received": _date(entry.received) if entry else None,
            "sha256": entry.key.sha256 if entry else None,
        }
        row.update(dict.fromkeys(points))
        if entry:
            row.update(_earned(entry))
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


def _earned(entry: Entry) -> dict[str, Cell]:
    phases: dict[str, int] = {}
    for mark in entry.marks:
        phase = mark.id.partition(".")[0]
        phases[phase] = phases.get(phase, 0) + mark.earned
    return {
        **phases,
        **{
            mark.column: mark.earned if not mark.bonus else int(mark.verdict == "passed")
            for mark in entry.marks
        },
    }


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _listed(rows: Sequence[Mapping[str, Cell]]) -> list[list[Cell]]:
    head = list(rows[0]) if rows else ["id", "name"]
    return [list(head), *([row[column] for column in head] for row in rows)]


def _canvas(
    entries: Mapping[str, Entry], names: Mapping[str, str], people: Sequence[Person], title: str
) -> list[list[Cell]]:
    """Return the rows in the format that Canvas exports and imports. The columns of Canvas's own
    list are copied from the roster unchanged.
    """
    known = {person.id: person for person in people}
    phases = [column for column in _columns(entries.values()) if "." not in column]
    most = next((entry for entry in entries.values() if entry.outcome == "graded"), None)
    possible = _possible(most) if most else {}
    rows: list[list[Cell]] = [[*_CANVAS, title, *(f"{title} {phase}" for phase in phases)]]
    rows.append(
        [
            "    Points Possible",
            "",
            "",
            "",
            "",
            most.max_score if most else 0,
            *(possible.get(phase, 0) for phase in phases),
        ]
    )
    for learner, name in sorted(names.items()):
        own, entry = known.get(learner), entries.get(learner)
        who = [own.row.get(column, "") if own else "" for column in _CANVAS]
        who[0], who[1] = who[0] or name, who[1] or learner
        earned = _earned(entry) if entry else {}
        rows.append(
            [*who, entry.score if entry else "", *(earned.get(phase, "") for phase in phases)]
        )
    return rows


def _possible(entry: Entry) -> dict[str, int]:
    possible: dict[str, int] = {}
    for mark in entry.marks:
        phase = mark.id.partition(".")[0]
        possible[phase] = possible.get(phase, 0) + mark.points
    return possible


def _moodle(
    entries: Mapping[str, Entry], names: Mapping[str, str], people: Sequence[Person]
) -> list[list[Cell]]:
    """Return the rows of Moodle's grading worksheet: the participant's identifier, the grade, and a
    comment that lists the points for each phase.
    """
    known = {person.id: person for person in people}
    rows: list[list[Cell]] = [
        ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Feedback comments"]
    ]
    for learner, name in sorted(names.items()):
        own, entry = known.get(learner), entries.get(learner)
        identifier = (own.row.get("Identifier") if own else "") or (
            f"Participant {learner}" if learner.isdigit() else learner
        )
        mail = (own.row.get("Email address") or own.row.get("email") or "") if own else ""
        rows.append(
            [
                identifier,
                name,
                mail,
                entry.score if entry else "",
                entry.max_score if entry else "",
                comment(entry) if entry else NOTHING,
            ]
        )
    return rows


def comment(entry: Entry) -> str:
    """Return the points for each phase on one line; if nothing was graded, the entry's message."""
    if entry.outcome != "graded":
        return entry.message
    earned, possible = _earned(entry), _possible(entry)
    return ", ".join(
        f"{phase} {earned.get(phase, 0)}/{points}" for phase, points in possible.items()
    )


def _csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(
        [[_harmless(cell) for cell in row] for row in rows]
    )
    return stream.getvalue().encode("utf-8-sig")


# ASCII and full-width signs, also after characters that may end a cell in a spreadsheet
_FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _harmless(cell: Cell) -> Cell:
    """Escape text that a spreadsheet would run as a formula or a terminal as a command."""
    if not isinstance(cell, str):
        return cell
    return _FORMULA.sub(
        "'", _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cell)
    )
