"""The list of a class, with ids and names, from any CSV file whose first line names its columns.

Ids are read only from id columns and names only from name columns, because other columns may hold
the learner's own words.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from pathlib import Path

from grader.classroom.worksheet import delimiter_of, find_worksheet, participant
from grader.errors import UsageError
from grader.text import joined

_ID = (
    "id", "student id", "sid", "sis user id", "sis login id", "user id", "id number",
    "identifier", "username", "login", "learner"
)  # fmt: skip
_KNOWN_BY = (*_ID, "login id", "user", "user name", "email", "e-mail", "email address", "mail")
_NAME = ("name", "full name", "student", "student name")
_FIRST = ("first name", "given name", "firstname")
_LAST = ("last name", "surname", "lastname", "family name")
MAX_WORDS = 4
_POINTS = "points possible"  # marks the second line of a gradebook exported by Canvas


@dataclass(frozen=True)
class Person:
    """One line of the roster: id, name, and all columns, which exports copy. `participant` is the
    number in a worksheet from Moodle.
    """

    id: str
    name: str
    row: Mapping[str, str]
    participant: str = ""

    @cached_property
    def ids(self) -> frozenset[str]:
        """Return all ids from the id columns. Moodle's `Participant 12345` also counts as 12345."""
        columns = {
            column.casefold(): value.casefold() for column, value in self.row.items() if value
        }
        number = columns.get("identifier", "").removeprefix("participant ")
        return frozenset(
            {
                self.id.casefold(),
                *(columns[name] for name in _KNOWN_BY if name in columns),
                *filter(None, [number, self.participant]),
            }
        )

    @cached_property
    def section(self) -> str:
        """Return the column `section`, or an empty text."""
        return self._column("section")

    @cached_property
    def group(self) -> str:
        """Return the column `group`, or an empty text."""
        return self._column("group")

    def _column(self, name: str) -> str:
        columns = {column.casefold(): value for column, value in self.row.items()}
        return columns.get(name, "")

    @cached_property
    def words(self) -> list[str]:
        """Return the words of the name, in alphabetical order."""
        return _words(self.name)

    @cached_property
    def joined(self) -> frozenset[str]:
        """Return the name as one word, in every order of its parts. Canvas writes `doejane`."""
        orders = (
            permutations(self.words) if len(self.words) <= MAX_WORDS else [_in_order(self.name)]
        )
        return frozenset(map("".join, orders))

    def is_called(self, name: str) -> bool:
        """Return whether this is the person's name, in any order of words or as one word."""
        return bool(self.words) and (
            _words(name) == self.words
            or (not re.search(r"\s", name) and "".join(_in_order(name)) in self.joined)
        )

    def may_be_called(self, name: str) -> bool:
        """Return whether this name, which comes with an id, is compatible with the person. One of
        the two names may have more words than the other.
        """
        own, other = set(self.words), set(_words(name))
        shorter, longer = sorted((own, other), key=len)
        unknown = not other or self.name == self.id
        return unknown or self.is_called(name) or (len(shorter) > 1 and shorter <= longer)


def read_csv(file: Path) -> str:
    """Return the text of a CSV file. Raise UsageError if it cannot be read."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{str(file)!r} cannot be read:"
            f" {getattr(error, 'strerror', None) or 'it is not UTF-8'}",
            "save it as CSV in UTF-8",
        ) from error


def read_roster(file: Path) -> list[Person]:
    """Read the people in a CSV file. Raise UsageError if it cannot be read, is not CSV, has no
    column of ids, or has an id twice.
    """
    text = read_csv(file)
    delimiter = delimiter_of(text)
    try:
        sheet = find_worksheet(text)
        rows = [
            {str(key).strip(): str(value or "").strip() for key, value in row.items() if key}
            for row in csv.DictReader(io.StringIO(text), delimiter=delimiter)
        ]
    except csv.Error as error:
        raise UsageError(
            f"{str(file)!r} is not a CSV file: {error}",
            "the first line must name the columns: id,name",
        ) from error
    columns = {column.casefold(): column for column in (rows[0] if rows else {})}
    heads = [*columns.values()]
    key = next((columns[name] for name in _ID if name in columns), heads[0] if sheet else "")
    own_name = heads[1] if sheet and sheet.has_names else ""
    if not key:
        found = joined(heads) or "none"
        raise UsageError(
            f"{str(file)!r} has no id column; its columns are: {found}",
            "call one column id (or Student ID, SIS User ID, Identifier)",
        )
    people = [
        Person(
            row[key],
            _name(row, columns) or row.get(own_name, "") or row[key],
            row,
            participant(row[heads[0]]) if sheet else "",
        )
        for row in rows
        if row.get(key) and _POINTS not in row[key].casefold()
    ]
    twice = sorted(
        {person.id for person in people if sum(other.id == person.id for other in people) > 1}
    )
    if twice:
        raise UsageError(f"{str(file)!r} lists {twice[0]!r} more than once", "list every id once")
    return people


def _name(row: Mapping[str, str], columns: Mapping[str, str]) -> str:
    whole = next((row[columns[name]] for name in _NAME if name in columns), "")
    first, last = (
        next((row[columns[name]] for name in names if name in columns), "")
        for names in (_FIRST, _LAST)
    )
    return whole or f"{first} {last}".strip()


def _words(name: str) -> list[str]:
    return sorted(_in_order(name))


@lru_cache(maxsize=64)
def _in_order(name: str) -> tuple[str, ...]:
    """Return the words of a name, without accents and apostrophes, in lower case."""
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", name.casefold())
        if not unicodedata.combining(letter) and letter not in "'\u2019`"
    )
    return tuple(word for word in re.split(r"[\s,._-]+", plain) if any(map(str.isalnum, word)))


def look_up(people: Collection[Person], learner: str, name: str) -> tuple[Person | None, str]:
    """Return the only person with that id, if the name is compatible; if nobody has the id, the
    only person with that name. Otherwise return None, and the reason if somebody came close.
    """
    known = [person for person in people if learner.casefold() in person.ids]
    called = [person for person in people if person.is_called(name)]
    if learner == name:  # a single word may be an id or a name
        found = [*known, *(person for person in called if person not in known)]
    else:
        found = [person for person in known if person.may_be_called(name)] if known else called
        found = [
            person for person in found if person.id == learner
        ] or found  # an exact id beats a user name
    if len(found) == 1:
        return found[0], ""
    if len(found) > 1:
        possible = sorted(f"{person.name} ({person.id})" for person in found[:4])
        return None, f"it may belong to {' or '.join(possible)}"
    return None, f"{learner} is the id of {known[0].name}" if known else ""
