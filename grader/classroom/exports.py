"""Export the gradebook as CSV: for Canvas, for Moodle, or in a general format."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Union

from grader.classroom.entries import Entry
from grader.classroom.marks import Standing
from grader.classroom.roster import Person
from grader.classroom.worksheet import Worksheet, number
from grader.errors import UsageError

Cell = Union[str, float, int, None]
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_ASSIGNMENT = re.compile(r".+ \(\d+\)")  # the column of an assignment in Canvas's export
_MOODLE = (
    *("Identifier", "Full name", "Email address", "Grade", "Maximum Grade"),
    *("Last modified (grade)", "Feedback comments"),
)


_POINTS = re.compile(r"^[\w-]+ \d+/\d+(, [\w-]+ \d+/\d+)*$\n?", re.MULTILINE)


def export(  # noqa: PLR0913 - keyword arguments
    file: Path,
    marks: Sequence[Standing],
    people: Sequence[Person],
    title: str,
    *,
    by_phase: bool = False,
    worksheet: Worksheet | None = None,
) -> bytes:
    """Return the content of an export. The name chooses the format: `canvas.csv`, `moodle.csv`, or
    any other `.csv`. `title` is the assignment's name in Canvas, and `worksheet` comes from Moodle.

    Raise UsageError for another kind, or if Moodle would skip grades.
    """
    kind, name = file.suffix.lower(), file.stem.lower()
    if kind != ".csv":
        raise UsageError(
            f"{file.name!r} does not end in .csv", "use canvas.csv, moodle.csv or grades.csv"
        )
    if "canvas" in name:
        return _csv(_safe(_canvas(marks, people, title, by_phase=by_phase)))
    if "moodle" in name:
        return _moodle(marks, people, worksheet)
    return _csv(_safe(_listed(grades(marks, people))))


def only_assignment(people: Sequence[Person]) -> str:
    """Return the only assignment in a gradebook that Canvas exported, or an empty text."""
    columns = people[0].row if people else {}
    found = [name for name in columns if _ASSIGNMENT.fullmatch(name)]
    return found[0] if len(found) == 1 and {"Student", "ID", "Section"} <= {*columns} else ""


def grades(marks: Sequence[Standing], people: Sequence[Person] = ()) -> list[dict[str, Cell]]:
    """Return a row for each learner: the mark, its reasons, and the points of each checkpoint."""
    known = {person.id: person for person in people}
    points = _columns(one.entry for one in marks if one.entry)
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
            "received": _date(entry.submitted) if entry and entry.submitted is not None else None,
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
    marks: Sequence[Standing], people: Sequence[Person], title: str, *, by_phase: bool
) -> list[list[Cell]]:
    """Return the rows in the format that Canvas exports and imports. The columns of Canvas's own
    list are copied from the roster unchanged.
    """
    known = {person.id: person for person in people}
    graded = [one.entry for one in marks if one.entry and one.entry.outcome == "graded"]
    most = max(graded, key=lambda entry: entry.max_score, default=None)
    possible = _possible(most) if most and by_phase else {}
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


def _moodle(
    marks: Sequence[Standing], people: Sequence[Person], worksheet: Worksheet | None
) -> bytes:
    """Return Moodle's worksheet with grades, and with comments that say what passes.

    Each mark goes to the row that its person was read from. All other cells stay as they are, also
    those of learners without a mark.
    """
    sheet = worksheet or _blank_worksheet(marks, people)
    if worksheet:
        _refuse_skipped(marks, worksheet)
        own = {next(iter(person.row.values())): person.id for person in people}
    else:
        own = {str(row[0]): one.learner for row, one in zip(sheet.rows[1:], marks)}
    by_learner, rows = {one.learner: one for one in marks}, [*_safe([sheet.rows[0]])]
    for row in sheet.rows[1:]:
        one, cells = by_learner.get(own.get(row[0].strip(), "")), [*map(_harmless, row)]
        if sheet.feedback is not None:
            cells[sheet.feedback] = row[sheet.feedback]
            if one and (one.entry or one.notes):
                cells[sheet.feedback] = _with_comment(row[sheet.feedback], comment(one))
        if one and one.points is not None:
            mark = "," if "," in sheet.maximum else "."
            cells[sheet.grade] = str(one.points).replace(".", mark)
        rows.append(cells)
    return _csv(rows, sheet.delimiter)


def _blank_worksheet(marks: Sequence[Standing], people: Sequence[Person]) -> Worksheet:
    """Return a worksheet in English, for a class whose roster is not Moodle's."""
    known = {person.id: person.row for person in people}
    rows = [[*_MOODLE]]
    for one in marks:
        row, id = known.get(one.learner, {}), one.learner
        identifier = row.get("Identifier") or (f"Participant {id}" if id.isdigit() else id)
        mail = row.get("Email address") or row.get("email") or ""
        best = "" if one.of is None else str(one.of)
        rows.append([identifier, one.name, mail, "", best, "", ""])
    return Worksheet(rows, ",", 3, 6)


def _with_comment(old: str, new: str) -> str:
    """Return a person's comment with ours below it. An old list of points is replaced."""
    if new in old:
        return old
    kept, own = _POINTS.sub("", old).rstrip("\r\n"), str(_harmless(new))
    return f"{kept}\n{own}" if kept.strip() else own


def _refuse_skipped(marks: Sequence[Standing], worksheet: Worksheet) -> None:
    """Raise UsageError if the worksheet's maximum differs, because Moodle skips higher grades."""
    wanted = number(worksheet.maximum) or 0.0
    best = next((one.of for one in marks if one.of is not None), None)
    if best is not None and wanted != best:
        raise UsageError(
            f"these grades are out of {best:g}, and the assignment in Moodle is out of {wanted:g}",
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


def _safe(rows: Iterable[Sequence[Cell]]) -> Iterator[list[Cell]]:
    return ([_harmless(cell) for cell in row] for row in rows)


def _csv(rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return stream.getvalue().encode("utf-8-sig")


# ASCII and full-width signs, also after characters that may end a cell in a spreadsheet
_FORMULA = re.compile(
    r"(?:^|(?<=[;\t\r\n]))(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]\s*\S)|^(?=[\t\r\n])"
)
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
