"""Moodle's grading worksheet in any language. Its columns are recognised by position and content.

Moodle's importer compares the headers with its own words in the importer's language, strips a word
such as `Participant ` from each identifier, and stores every grade and comment that has changed.
Therefore everything else must come back as Moodle wrote it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

_PARTICIPANT = re.compile(r"(?=\D*[^\W\d])(\D+)(\d+)")
_CHANGED = re.compile(r"-|(?=.*\d{4})(?=.*\d{1,2}\D\d\d).*", re.DOTALL)  # when a grade was changed


class Worksheet(NamedTuple):
    """All rows, with the headers first, and the positions of the columns to fill."""

    rows: Sequence[Sequence[str]]
    delimiter: str
    grade: int
    feedback: int | None

    @property
    def maximum(self) -> str:
        """Return the highest grade as Moodle writes it, such as `100,00`."""
        return self.rows[1][self.grade + 1]

    @property
    def submitted(self) -> str:
        """Return the header of the first of two columns of times after the grade, if there are two.
        The second is about grades.
        """
        head, *rows = self.rows
        times = [
            place
            for place in range(self.grade + 2, len(head))
            if all(_CHANGED.fullmatch(row[place]) for row in rows)
        ]
        return head[times[0]].strip() if len(times) == 2 else ""


def participant(identifier: str) -> str:
    """Return the number in an identifier such as `Participant 501` or `Teilnehmer/in501`."""
    found = _PARTICIPANT.fullmatch(identifier.strip())
    return found[2] if found else ""


def delimiter_of(text: str) -> str:
    """Return the character between the columns of a CSV file."""
    return max(",;\t", key=text.partition("\n")[0].count)


def find_worksheet(text: str) -> Worksheet | None:
    """Return the worksheet in a CSV file, or None if it has none with points and a maximum."""
    delimiter = delimiter_of(text)
    head, *rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row] or [[]]
    found = [_PARTICIPANT.fullmatch(row[0].strip()) for row in rows]
    words = {each[1] if each else None for each in found}
    if len(words) != 1 or None in words or {len(row) for row in rows} != {len(head)}:
        return None
    columns = list(zip(*rows))
    grades = [
        place for place in range(1, len(head) - 1) if _has_grades(*columns[place : place + 2])
    ]
    if not grades:
        return None
    last = len(head) - 1
    is_feedback = last > grades[-1] + 1 and not all(map(_CHANGED.fullmatch, columns[last]))
    return Worksheet([head, *rows], delimiter, grades[-1], last if is_feedback else None)


def _has_grades(column: Sequence[str], following: Sequence[str]) -> bool:
    """Return whether a column has grades or blanks, next to a column with one positive number."""
    maximum, grades = {*following}, {cell for cell in column if cell.strip() not in {"", "-"}}
    is_scale = len(maximum) == 1 and (number(*maximum) or 0) > 0
    return is_scale and all(number(cell) is not None for cell in grades)


def number(cell: str) -> float | None:
    """Return a number that may have a decimal comma, or None."""
    return float(cell.replace(",", ".")) if re.fullmatch(r"\s*\d+([.,]\d+)?\s*", cell) else None
