"""Export the gradebook as CSV: for Canvas, for Moodle, or in a general format."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Union

from grader.classroom.entries import Entry
from grader.classroom.journal import Comment
from grader.classroom.marks import Standing, rounded
from grader.classroom.roster import Person
from grader.classroom.rubric import MARK_COLUMNS, Item
from grader.classroom.worksheet import Worksheet, number
from grader.errors import UsageError

Cell = Union[str, float, None]
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS = re.compile(r"^[\w-]+ \d+/\d+(, [\w-]+ \d+/\d+)*$\n?", re.MULTILINE)


def export(
    system: str,
    marks: Sequence[Standing],
    title: str,
    *,
    by_phase: bool = False,
    worksheet: Worksheet | None = None,
) -> bytes:
    """Return the content of an export to `canvas`, `moodle` or `csv`. `title` is the assignment's
    name in Canvas, and `worksheet` comes from Moodle. Raise UsageError if Moodle would skip grades.
    """
    if system == "moodle":
        return _moodle(marks, worksheet)
    rows = _canvas(marks, title, by_phase=by_phase) if system == "canvas" else _grades(marks)
    return _csv([*map(_harmless, row)] for row in rows)


def only_assignment(people: Sequence[Person]) -> str:
    """Return the only assignment in a gradebook that Canvas exported, or an empty string."""
    columns = people[0].row if people else {}
    found = [name for name in columns if re.fullmatch(r".+ \(\d+\)", name)]
    return found[0] if len(found) == 1 and {"Student", "ID", "Section"} <= {*columns} else ""


def _grades(marks: Sequence[Standing]) -> Iterator[list[Cell]]:
    """Yield the headers and a row for each learner: the mark, its reasons, and all points."""
    columns = [*_columns([one.entry for one in marks if one.entry]), *_possible_by_hand(marks)]
    yield [
        *("id", "name", "section", "group", "outcome", "reason", "score", "max_score", "late"),
        *("comments", "received", "sha256", *columns),
    ]
    for one in marks:
        entry, earned = one.entry, one.earned
        when = time.gmtime(entry.submitted) if entry and entry.submitted is not None else None
        yield [
            *(one.learner, one.name, one.person.section, one.person.column("group")),
            *(one.outcome, one.reason, one.points, one.of if entry else None),
            int(one.late) if entry else None,
            one.note,
            time.strftime("%Y-%m-%dT%H:%M:%SZ", when) if when else None,
            entry.key.sha256 if entry else None,
            *map(earned.get, columns),
        ]


def _columns(entries: Sequence[Entry]) -> list[str]:
    """Return the columns' names: phases first, then checkpoints, in the order of the course."""
    marks = [
        mark
        for entry in sorted(entries, key=lambda entry: -len(entry.marks))
        for mark in entry.marks
    ]
    return [*dict.fromkeys(mark.phase for mark in marks), *dict.fromkeys(m.column for m in marks)]


def marks_table(
    names: Mapping[str, str], rubric: Sequence[Item], known: Mapping[tuple[str, str], Comment]
) -> bytes:
    """Return the table of hand-graded parts that `read_marks` reads, with the marks so far."""
    rows: list[list[Cell]] = [[*MARK_COLUMNS, "name"]]
    for id, name in names.items():
        for item in rubric:
            mark = known.get((id, item.id))
            said = [rounded(mark.points), _harmless(mark.text)] if mark else [None, None]
            rows.append([id, item.id, *said, _harmless(name)])
    return _csv(rows)


def _possible_by_hand(marks: Sequence[Standing]) -> dict[str, float]:
    """Return the points that each hand-graded item has."""
    return {mark.item.id: mark.item.points for one in marks for mark in one.by_hand}


def _canvas(marks: Sequence[Standing], title: str, *, by_phase: bool) -> Iterator[list[Cell]]:
    """Yield the rows in the format that Canvas exports and imports. The columns of Canvas's own
    list are copied from the roster unchanged, and so is the grade of a learner without a mark,
    because Canvas deletes a grade if its cell is blank.
    """
    graded = [one.entry for one in marks if one.entry and one.entry.outcome == "graded"]
    most = max(graded, key=lambda entry: entry.max_score, default=None)
    possible = {**(most.possible if most else {}), **_possible_by_hand(marks)} if by_phase else {}
    yield [*_CANVAS, title, *(f"{title} {phase}" for phase in possible)]
    best = next((one.of for one in marks), None)
    yield ["    Points Possible", "", "", "", "", best, *possible.values()]
    for one in marks:
        instead = (one.name, one.learner, "", "", one.person.section)
        cells = (one.person.row.get(name) or other for name, other in zip(_CANVAS, instead))
        mark = one.person.row.get(title) if one.points is None else one.points
        yield [*cells, mark, *map(one.earned.get, possible)]


def _moodle(marks: Sequence[Standing], worksheet: Worksheet | None) -> bytes:
    """Return Moodle's worksheet with grades, and with comments that say what passes.

    Each mark goes to the row that its person was read from. All other cells stay as they are,
    including the cells of learners without a mark.
    """
    sheet = worksheet or _blank_worksheet(marks)
    _refuse_skipped(marks, sheet)
    own = (next(iter(one.person.row.values()), "") for one in marks)
    by_id = dict(zip(own if worksheet else (row[0] for row in sheet.rows[1:]), marks))
    rows = [[*map(_harmless, sheet.rows[0])]]
    for row in sheet.rows[1:]:
        one, cells = by_id.get(row[0].strip()), [*map(_harmless, row)]
        if sheet.feedback is not None:
            cells[sheet.feedback] = row[sheet.feedback]
            if one and (one.entry or one.notes):
                cells[sheet.feedback] = _with_comment(row[sheet.feedback], _comment(one))
        if one and one.points is not None:
            cells[sheet.grade] = str(one.points).replace(".", "," if "," in sheet.maximum else ".")
        rows.append(cells)
    return _csv(rows, sheet.delimiter)


def _blank_worksheet(marks: Sequence[Standing]) -> Worksheet:
    """Return a worksheet in English, for a class whose roster is not Moodle's."""
    rows = [
        [
            *("Identifier", "Full name", "Email address", "Grade", "Maximum Grade"),
            *("Last modified (grade)", "Feedback comments"),
        ]
    ]
    for one in marks:
        identifier = f"Participant {one.learner}" if one.learner.isdigit() else one.learner
        mail, best = one.person.column("email address", "email"), str(one.of or "")
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
    best = next((one.of for one in marks if one.of is not None), wanted)
    if wanted != best:
        raise UsageError(
            f"these grades are out of {best:g}, and the assignment in Moodle is out of {wanted:g}",
            f"add --out-of {wanted:g}",
        )


def _comment(one: Standing) -> str:
    """Return everything that passes or was changed by hand, in one line."""
    said = one.failure or one.outcome
    if one.entry and one.entry.outcome == "graded":
        said = ", ".join(
            f"{phase} {one.earned.get(phase, 0)}/{most}"
            for phase, most in one.entry.possible.items()
        )
    return "; ".join(filter(None, (said, one.note)))


def _csv(rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return stream.getvalue().encode("utf-8-sig")


# ASCII and full-width signs, even after characters that may end a cell in a spreadsheet
_FORMULA = re.compile(
    r"(?:^|(?<=[;\t\r\n]))(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]\s*\S)|^(?=[\t\r\n])"
)
# and invisible characters that reverse the direction of writing or begin a new line
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
