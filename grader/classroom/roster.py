"""The list of a class: ids and names, in any CSV file whose first line says what its columns are."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from grader.errors import UsageError

_ID = ("id", "student id", "sid", "sis user id", "sis login id", "user id", "id number", "identifier", "username", "login", "learner")
_NAME = ("name", "full name", "student", "student name")
_FIRST, _LAST = ("first name", "given name", "firstname"), ("last name", "surname", "lastname", "family name")
MAX_WORDS = 4
_POINTS = "points possible"  # the second line of a gradebook that Canvas exports


@dataclass(frozen=True)
class Person:
    """One line: the id, the name, and the whole line by its columns, for exports that give it back."""

    id: str
    name: str
    row: Mapping[str, str]

    @property
    def known_as(self) -> frozenset[str]:
        """Everything in the line that a submission may be called by."""
        values = {value.strip().casefold() for value in self.row.values() if value and value.strip()}
        number = {word for value in values for word in value.split() if word.isdigit()}  # "Participant 12345"
        return frozenset({*values, *number, *_written(self.name)})


def read_roster(file: Path) -> list[Person]:
    """The people in a CSV file. Raises UsageError for one that is missing, is no CSV, or does not say who is who."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{str(file)!r} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}", "save it as CSV in UTF-8") from error
    delimiter = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    try:
        rows = [{str(key).strip(): str(value or "").strip() for key, value in row.items() if key} for row in csv.DictReader(io.StringIO(text), delimiter=delimiter)]
    except csv.Error as error:
        raise UsageError(f"{str(file)!r} is no CSV: {error}", "the first line names the columns: id,name") from error
    columns = {column.casefold(): column for column in (rows[0] if rows else {})}
    key = next((columns[name] for name in _ID if name in columns), "")
    if not key:
        found = ", ".join(columns.values()) or "nothing"
        raise UsageError(f"{str(file)!r} has no column with ids: {found}", "one column must be called id (or Student ID, SIS User ID, Identifier)")
    people = [Person(row[key], _name(row, columns) or row[key], row) for row in rows if row.get(key) and _POINTS not in row[key].casefold()]
    twice = sorted({person.id for person in people if sum(other.id == person.id for other in people) > 1})
    if twice:
        raise UsageError(f"{str(file)!r} has {twice[0]!r} more than once", "every id once")
    return people


def _name(row: Mapping[str, str], columns: Mapping[str, str]) -> str:
    whole = next((row[columns[name]] for name in _NAME if name in columns), "")
    first, last = (next((row[columns[name]] for name in names if name in columns), "") for names in (_FIRST, _LAST))
    return whole or f"{first} {last}".strip()


def _written(name: str) -> set[str]:
    """A name in the ways in which systems write it: `Doe, Jane` is `Jane Doe` and, with Canvas, `doejane`."""
    words = name.casefold().replace(",", " ").split()
    if not 1 < len(words) <= MAX_WORDS:
        return {name.casefold()}
    return {joined for order in permutations(words) for joined in ("".join(order), " ".join(order))} | {name.casefold()}


def find_person(people: Collection[Person], learner: str, name: str) -> Person | None:
    """Whoever a submission belongs to, if exactly one person is known by its id or its name."""
    for word in (learner.casefold(), *sorted(_written(name))):
        found = [person for person in people if word and word in person.known_as]
        if len(found) == 1:
            return found[0]
    return None
