"""The list of a class, with ids and names, from any CSV file whose first line names its columns.

Ids are read only from id columns and names only from name columns, because other columns may hold
the learner's own words.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from pathlib import Path

from grader.classroom.times import plain, read_time
from grader.classroom.worksheet import delimiter_of, find_worksheet, participant
from grader.errors import SubmissionError, UsageError
from grader.intake.submission import read_whole
from grader.text import joined

MAX_BYTES = 32 << 20
_ID = (  # a course system's own columns come first, because learners may fill in the rest
    "id", "identifier", "sis user id", "sis login id", "user id", "sid", "student id", "learner",
    "username", "login", "github_username", "id number"
)  # fmt: skip
_KNOWN_BY = (*_ID, "login id", "user", "user name", "email", "e-mail", "email address", "mail")
_NAME = ("name", "full name", "student", "student name")
_FIRST = ("first name", "given name", "firstname")
_LAST = ("last name", "surname", "lastname", "family name")
_SUBMITTED = ("submitted", "submitted at", "submission time", "last modified (submission)")


@dataclass(frozen=True)
class Person:
    """One line of the roster: id, name, all columns, which exports copy, and the hand-in time as it
    is written there.
    """

    id: str
    name: str
    row: Mapping[str, str]
    submitted: str = ""

    @cached_property
    def ids(self) -> frozenset[str]:
        """Return all ids from the id columns."""
        return frozenset(filter(None, map(str.casefold, (self.id, *map(self.column, _KNOWN_BY)))))

    @property
    def section(self) -> str:
        """Return column `section` or Gradescope's `Sections`, or an empty string."""
        return self.column("section", "sections")

    def column(self, *names: str) -> str:
        """Return the first of these columns that exists, by its name in lower case."""
        return next((self._columns[name] for name in names if name in self._columns), "")

    @cached_property
    def _columns(self) -> dict[str, str]:
        return {column.casefold(): value for column, value in self.row.items()}

    @cached_property
    def spellings(self) -> frozenset[str]:
        """Return the name with its words in any order, also as one word, such as `doejane` in
        Canvas.
        """
        words = _words(self.name)
        orders = permutations(words) if len(words) <= 4 else [words]
        return frozenset({" ".join(sorted(words)), *map("".join, orders)} - {""})

    def may_be_called(self, name: str) -> bool:
        """Return whether this name, which comes with an id, is compatible with the person. One of
        the two names may have more words than the other.
        """
        shorter, longer = sorted(({*_words(self.name)}, {*_words(name)}), key=len)
        unknown = not _words(name) or self.name == self.id
        return (
            unknown or _spelling(name) in self.spellings or (len(shorter) > 1 and shorter <= longer)
        )


NOBODY = Person("", "", {})


def read_csv(file: Path) -> str:
    """Return the text of a CSV file. Raise UsageError if it cannot be read, or is too large."""
    try:
        return read_whole(Path(os.path.realpath(file)), MAX_BYTES).decode("utf-8-sig")
    except SubmissionError as error:
        raise UsageError(error.message, "name a CSV file with a list of your class") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{str(file)!r} is not UTF-8", "save it as CSV in UTF-8") from error


def read_roster(file: Path) -> list[Person]:
    """Read the people in a CSV file. Raise UsageError if it cannot be read, is not CSV, has no
    column of ids, or has an id twice.
    """
    text = read_csv(file)
    head, *lines = [row for _, row in csv_rows(text, file)] or [[]]
    sheet, heads = find_worksheet(text), [name.strip() for name in head]
    columns = {name.casefold(): name for name in heads if name}
    key = next((columns[name] for name in _ID if name in columns), heads[0] if sheet else "")
    if not key:
        raise UsageError(
            f"{str(file)!r} has no id column; its columns are: {joined(heads) or 'none'}",
            "call one column id (or Student ID, SIS User ID, Identifier)",
        )
    times = [columns[name] for name in _SUBMITTED if name in columns]
    submitted = [*times, sheet.submitted if sheet else ""][0]
    people = []
    for line in lines:
        cells = [*map(str.strip, line), *[""] * (len(heads) - len(line))]
        row = {name: cell for name, cell in zip(heads, cells) if name}
        own_id = row[key].removeprefix("Participant ")
        one = Person(participant(cells[0]) if sheet else own_id, "", row)
        # with anonymous submissions, only the status is between the identifier and the grade
        own_name = row.get(heads[1], "") if sheet and sheet.grade > 2 else ""
        parts = f"{one.column(*_FIRST)} {one.column(*_LAST)}".strip()
        name = one.column(*_NAME) or parts or own_name or one.id
        people.append(replace(one, name=name, submitted=row.get(submitted, "").removeprefix("-")))
    # the second line of a gradebook that Canvas exported has no person
    people = [one for one in people if one.id and "points possible" not in one.id.casefold()]
    if not people:
        raise UsageError(f"{str(file)!r} lists nobody", "write one line for each learner")
    id, count = Counter(person.id for person in people).most_common(1)[0]
    if count > 1:
        raise UsageError(f"{str(file)!r} lists {id!r} more than once", "list every id once")
    return people


def read_times(file: Path) -> list[Person]:
    """Read a CSV file with the columns `learner` and `time`. Raise UsageError if it is not one."""
    people = [
        replace(person, submitted=person.submitted or person.column("time").removeprefix("-"))
        for person in read_roster(file)
    ]
    if not any(person.submitted for person in people):
        raise UsageError(
            f"{str(file)!r} has no times", "the first line must name the columns: learner,time"
        )
    for person in people:
        if person.submitted and read_time(person.submitted) is None:
            raise UsageError(
                f"{str(file)!r}: the time of {person.id!r} cannot be read: {person.submitted!r}",
                "write it like this: 2026-11-30 23:59",
            )
    return people


def csv_rows(text: str, file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file that are not empty, with the numbers of their lines. Raise
    UsageError if it is not CSV.
    """
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    begun = 1
    try:
        for row in rows:
            if row:
                yield begun, row
            begun = rows.line_num + 1
    except csv.Error as error:
        raise UsageError(
            f"{str(file)!r}, line {begun}: malformed CSV: {error}",
            "close every quotation mark, and write two for one inside a quoted cell",
        ) from error


def _spelling(name: str) -> str:
    """Return the words of a name in alphabetical order, or joined if they have no blank."""
    words = _words(name)
    return " ".join(sorted(words)) if re.search(r"\s", name) else "".join(words)


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name, without accents and apostrophes, in lower case."""
    words = re.split(r"[\s,._-]+", re.sub("['\u2019`]", "", plain(name)))
    return tuple(word for word in words if any(map(str.isalnum, word)))


def look_up(people: Sequence[Person], learner: str, name: str) -> tuple[Person | None, str]:
    """Return the only person with that id, if the name is compatible; if nobody has the id, the
    only person with that name. Otherwise return None, and the reason if somebody came close.

    An id from any column but the first only counts for a compatible name.
    """
    id, spelled = learner.casefold(), _spelling(name)
    known = [person for person in people if id in person.ids]
    called = [person for person in people if spelled in person.spellings]
    if learner == name:  # a single word may be an id or a name
        found = [*known, *(person for person in called if person not in known)]
    else:
        own = [person for person in known if id == person.id.casefold()]
        found = [person for person in own or known if person.may_be_called(name)]
        found = found if found or own else called
        known = own
    if len(found) > 1:
        possible = sorted(f"{person.name} ({person.id})" for person in found[:4])
        return None, f"it may belong to {' or '.join(possible)}"
    near = f"{learner} is the id of {known[0].name}" if known else ""
    return (found[0], "") if found else (None, near)
