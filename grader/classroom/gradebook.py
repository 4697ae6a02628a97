"""The gradebook: one SQLite file. Each grading is stored completely or not at all."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.classroom.entries import Comment, Entry, Key, Mark
from grader.classroom.times import GIVEN, STRENGTH
from grader.errors import GraderError
from grader.model import Verdict, Visibility

if TYPE_CHECKING:
    from typing_extensions import Self

VERSION = 5
_MAX_REPORT = 64 << 20
WAIT_SECONDS = 30.0  # while another run is writing

_SCHEMA = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")

_FOREIGN = "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')"
"""Finds views and triggers. Somebody else must have added them, and they could run with our
queries.
"""

_KEYS = ("learner", "sha256", "course", "phases", "seed")
_KEY = " AND ".join(f"{column} = ?" for column in _KEYS)
_STORED = (
    *("origin", "received", "timing", "seconds", "outcome", "message", "score", "max_score"),
)
_MARK = "id, verdict, earned, points, bonus, misconception, title, visibility"
_COLUMNS = (*_KEYS, *_STORED, "graded", "report")
_ADD = (
    f"INSERT INTO grading ({', '.join(_COLUMNS)}) VALUES"
    f" ({', '.join('?' * len(_COLUMNS))}) ON CONFLICT DO NOTHING"
)
_MARKS = f"""
SELECT grading, {_MARK.replace("id", "checkpoint.id", 1)}
FROM checkpoint JOIN grading ON grading.number = grading
WHERE :learner IS NULL OR learner = :learner ORDER BY grading, place
"""
_ENTRIES = f"""
SELECT number, {", ".join(_KEYS)}, name, CASE WHEN :reports THEN report END, {", ".join(_STORED)},
    graded, again, again_timing
FROM grading JOIN learner ON learner.id = learner
WHERE :learner IS NULL OR learner = :learner ORDER BY learner, received, number
"""
# what SQLite must return, in the order of the queries
_NUMBER = (int, float)
_MARK_TYPES = (str, str, int, int, int, str, str, str)
_ENTRY_TYPES = (
    *(str, str, str, str, int, str, (bytes, type(None))),
    *(str, _NUMBER, str, _NUMBER, str, str, int, int, _NUMBER, _NUMBER, str),
)


class GradebookError(GraderError):
    """The gradebook cannot be read or written. Its content is unchanged."""


class Gradebook:
    """An open gradebook. Several processes may have it open; each write waits for the others."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with self._readable_errors():
            self._database = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute("PRAGMA synchronous = FULL")
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if self._database.execute(_FOREIGN).fetchone():
                raise GradebookError(
                    f"{file} contains views or triggers, so it is not a gradebook",
                    "name a different file with --gradebook FILE",
                )
            if version not in {0, VERSION}:
                raise GradebookError(
                    f"{file} was written by another version of the kit ({version})",
                    "use that version, or start a new gradebook",
                )
            if version == VERSION:  # no write: the disk may be full or read-only
                return
            with self._transaction():
                for statement in _SCHEMA.split(";"):
                    self._database.execute(statement)
                self._database.execute(f"PRAGMA user_version = {VERSION}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        """Turn database errors into GradebookErrors with a hint."""
        try:
            yield
        except sqlite3.Error as error:
            kept, hint = "", "name a new file with --gradebook FILE; the old one stays unchanged"
            if "full" in str(error):
                kept = "; everything graded before is kept"
                hint = "free some space, then run the same command again"
            elif "locked" in str(error):
                hint = (
                    "another run is writing to it, or the drive does not support locks; run the"
                    " same command again"
                )
            elif "unable to open" in str(error):
                hint = "check its folder, its permissions, and the limits that `ulimit -a` shows"
            raise GradebookError(
                f"the gradebook {str(self.file)!r} cannot be used: {error}{kept}", hint
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def has(self, key: Key, since: float = 0.0) -> bool:
        """Return whether it was graded since then. Errors of the grader do not count."""
        with self._readable_errors():
            found = self._database.execute(
                f"SELECT 1 FROM grading WHERE {_KEY} AND outcome != 'error' AND graded >= ?",
                (*_row(key), since),
            )
            return found.fetchone() is not None

    def claim(self, key: Key, since: float, run: str, is_alive: Callable[[str], bool]) -> bool:
        """Claim a grading for a run. Return False if it has been made since then, or if a
        different run that is alive has claimed it.
        """
        with self._readable_errors(), self._transaction():
            owner = self._database.execute(
                f"SELECT run FROM claim WHERE {_KEY}", _row(key)
            ).fetchone()
            if self.has(key, since) or (owner and owner[0] != run and is_alive(owner[0])):
                return False
            self._database.execute(
                "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?, ?)", (*_row(key), run)
            )
            return True

    def release(self, run: str) -> None:
        """Give up everything that a run has claimed and not graded."""
        with self._readable_errors(), self._transaction():
            self._database.execute("DELETE FROM claim WHERE run = ?", (run,))

    def handed_in(
        self, course: str, phases: str, seed: int, since: float = 0.0
    ) -> set[tuple[str, float]]:
        """Return the owners and times of the submissions that were graded in this way since then,
        but for errors of the grader.
        """
        with self._readable_errors():
            rows = self._database.execute(
                "SELECT learner, max(received, again) FROM grading WHERE course = ? AND phases = ?"
                " AND seed = ? AND outcome != 'error' AND graded >= ?",
                (course, phases, seed, since),
            ).fetchall()
        return {*rows}

    def handed_in_again(self, key: Key, received: float, timing: str) -> None:
        """Save when known content was handed in last. A time that is known better replaces the
        stored one, and so does the instructor's.
        """
        with self._readable_errors():
            found = self._database.execute(
                f"SELECT number, timing, max(received, again) FROM grading WHERE {_KEY}", _row(key)
            ).fetchone()
            if found is None or STRENGTH[timing] < STRENGTH[found[1]]:
                return
            number, old, last = found
            if timing == GIVEN or STRENGTH[timing] > STRENGTH[old]:
                changes = "received = ?, timing = ?, again = 0, again_timing = ''"
            elif received > last:
                changes = "again = ?, again_timing = ?"
            else:
                return
            with self._transaction():
                self._database.execute(
                    f"UPDATE grading SET {changes} WHERE number = ?", (received, timing, number)
                )

    def add_comment(self, comment: Comment) -> None:
        """Write a comment on a learner who is in the gradebook."""
        with self._readable_errors(), self._transaction():
            self._database.execute(
                "INSERT INTO comment (learner, text, points, written) VALUES (?, ?, ?, ?)",
                (comment.learner, comment.text, comment.points, comment.written or time.time()),
            )

    def comments(self) -> dict[str, list[Comment]]:
        """Return the comments on each learner, the oldest first."""
        found: dict[str, list[Comment]] = {}
        with self._readable_errors():
            for row in self._database.execute(
                "SELECT learner, text, points, written FROM comment ORDER BY number"
            ):
                found.setdefault(row[0], []).append(Comment(*row))
        return found

    def add_learners(self, names: Mapping[str, str]) -> None:
        """Add learners by their ids, even without a submission, or update their names."""
        with self._readable_errors(), self._transaction():
            self._name(names)

    def _name(self, names: Mapping[str, str]) -> None:
        self._database.executemany(
            "INSERT INTO learner VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            names.items(),
        )

    def add(self, entry: Entry, *, again: bool = False) -> bool:
        """Store a grading. Return False if it is already there, as two runs at once may find.

        Replace one that the grader failed at, and with `again` any; only the time when it was
        handed in stays.
        """
        with self._readable_errors(), self._transaction():
            self._name({entry.key.learner: entry.name})
            old = self._database.execute(
                f"SELECT number, received, timing FROM grading WHERE {_KEY}"
                " AND (? OR outcome = 'error')",
                (*_row(entry.key), again),
            ).fetchone()
            if old:
                self._database.execute("DELETE FROM checkpoint WHERE grading = ?", old[:1])
                self._database.execute("DELETE FROM grading WHERE number = ?", old[:1])
                entry = replace(entry, received=old[1], timing=old[2])
            self._database.execute(f"DELETE FROM claim WHERE {_KEY}", _row(entry.key))
            done = self._database.execute(_ADD, _values(entry))
            if not done.rowcount:
                return False
            self._database.executemany(
                f"INSERT INTO checkpoint (grading, place, {_MARK}) VALUES"
                " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(done.lastrowid, place, *_row(mark)) for place, mark in enumerate(entry.marks)],
            )
            return True

    def learners(self) -> dict[str, str]:
        """Return the name of every learner, by id."""
        with self._readable_errors():
            return dict(self._database.execute("SELECT id, name FROM learner ORDER BY id"))

    def entries(self, learner: str | None = None, *, reports: bool = False) -> list[Entry]:
        """Return all gradings, or those of one learner, sorted by learner and then by the time they
        were handed in. Leave the reports out unless `reports` is true.
        """
        wanted = {"learner": learner, "reports": reports}
        with self._readable_errors():
            stored_marks = self._database.execute(_MARKS, wanted).fetchall()
            rows = self._database.execute(_ENTRIES, wanted).fetchall()
        try:
            marks: dict[int, list[Mark]] = {}
            for number, *values in stored_marks:
                marks.setdefault(number, []).append(_mark(values))
            return [_entry(values, marks.get(number, [])) for number, *values in rows]
        except (ValueError, TypeError, AttributeError, OverflowError, zlib.error) as error:
            raise GradebookError(
                f"the gradebook {str(self.file)!r} is damaged: {error}",
                "name a new file with --gradebook FILE; the old one stays unchanged",
            ) from error


def _row(record: Key | Mark) -> tuple[object, ...]:
    """Return the fields in their order. `dataclasses.astuple` would copy each, which takes long."""
    return (*vars(record).values(),)


def _values(entry: Entry) -> tuple[object, ...]:
    """Return a row of the table `grading`, in the order of `_ADD`."""
    report = zlib.compress(entry.report.encode("utf-8", "backslashreplace"))
    graded = entry.graded or time.time()
    stored = [getattr(entry, name) for name in _STORED]
    return (*_row(entry.key), *stored, graded, report)


def _entry(values: Sequence[Any], marks: Sequence[Mark]) -> Entry:
    """Return a stored grading. Raise TypeError or ValueError if a value cannot be right."""
    _refuse_types(values, _ENTRY_TYPES)
    *key, name, report = values[: len(_KEYS) + 2]
    rest = dict(zip((*_STORED, "graded", "again", "again_timing"), values[len(_KEYS) + 2 :]))
    text = _unpacked(report) if report else ""
    if not {rest["timing"], rest["again_timing"]} <= STRENGTH.keys():
        raise ValueError("a time has an unknown kind")
    return Entry(Key(*key), name, marks=tuple(marks), report=text, **rest)


def _mark(values: Sequence[Any]) -> Mark:
    """Return a stored mark. Raise TypeError or ValueError if a value cannot be right."""
    _refuse_types(values, _MARK_TYPES)
    mark = Mark(*values)
    Verdict(mark.verdict), Visibility(mark.visibility)
    return mark


def _refuse_types(values: Sequence[Any], types: Sequence[type | tuple[type, ...]]) -> None:
    if not all(isinstance(value, wanted) for value, wanted in zip(values, types)):
        raise TypeError("a column has a value of the wrong type")


def _unpacked(report: bytes) -> str:
    """Decompress a report. Raise ValueError if it is larger than `_MAX_REPORT`."""
    stream = zlib.decompressobj()
    text = stream.decompress(report, _MAX_REPORT)
    if stream.unconsumed_tail:
        raise ValueError(f"a report is longer than {_MAX_REPORT >> 20} MiB")
    return text.decode()
