"""The gradebook: one SQLite file. Each grading is stored completely or not at all."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, fields, replace
from itertools import starmap
from pathlib import Path
from typing import Any

from grader.classroom.entries import Entry, Key, Mark
from grader.classroom.journal import Comment
from grader.classroom.times import GIVEN, STRENGTH
from grader.errors import InternalError

VERSION = 4
WAIT_SECONDS = 30.0  # while another run is writing

_NEW_FILE = "name a new file with --gradebook FILE; the old one stays unchanged"
_HINTS = {  # by a word of SQLite's message
    "full": "free some space, then run the same command again; everything graded before is kept",
    "locked": "another run is writing to it, or the drive does not support locks; run the same"
    " command again",
    "readonly": "make the file and its folder writable, then run the same command again",
    "unable to open": "check its folder, its permissions, and the limits that `ulimit -a` shows",
}

_KEY = " AND ".join(f"{column} = :{column}" for column in Key._fields)
_CONTENT = "learner = :learner AND sha256 = :sha256 AND phases = :phases"
_ACCEPT = f"UPDATE grading SET counts = (course = :course AND seed = :seed) WHERE {_CONTENT}"
_PLAIN = (
    *("origin", "received", "timing", "outcome", "message", "score", "max_score"),
    *("again", "again_timing", "explained", "counts"),
)
_COLUMNS = (*Key._fields, *_PLAIN, "marks", "report")
_LINE = [field.name for field in fields(Comment)][:-1]  # all but the number
_NAME = "INSERT INTO learner VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name"


class Gradebook(AbstractContextManager["Gradebook"]):
    """An open gradebook. Several processes may have it open; each write waits for the others."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with self._readable_errors():
            self._database = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
            self._database.create_function("strength", 1, STRENGTH.__getitem__)
        ((version, tables),) = self._read(
            "SELECT user_version, (SELECT count() FROM sqlite_master) FROM pragma_user_version"
        )
        if version == VERSION:  # no write: the disk may be full or read-only
            return
        if version or tables:
            raise InternalError(
                f"{str(file)!r} is not a gradebook, or another version of the kit wrote it",
                _NEW_FILE,
            )
        with self._transaction() as database:
            for statement in Path(__file__).with_suffix(".sql").read_text("utf-8").split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        """Turn errors of the database and of its content into InternalErrors with a hint."""
        try:
            yield
        except (sqlite3.Error, zlib.error, ValueError, TypeError, RecursionError) as error:
            hints = (hint for word, hint in _HINTS.items() if word in str(error))
            raise InternalError(
                f"the gradebook {str(self.file)!r} cannot be used: {error}", next(hints, _NEW_FILE)
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._readable_errors(), self._database:  # which commits or rolls back
            self._database.execute("BEGIN IMMEDIATE")
            yield self._database

    def _read(self, query: str, **values: object) -> list[Any]:
        with self._readable_errors():
            return self._database.execute(query, values).fetchall()

    def _write(self, query: str, values: Any) -> int:
        """Run one statement that writes. Return how many rows it changed."""
        with self._transaction() as database:
            return database.execute(query, values).rowcount

    def has(self, key: Key) -> bool:
        """Return whether it was graded. Errors of the grader do not count."""
        query = f"SELECT 1 FROM grading WHERE {_KEY} AND outcome != 'error'"
        return bool(self._read(query, **key._asdict()))

    def claim(self, key: Key) -> bool:
        """Return whether no other run has begun this grading. From now on, this run has."""
        return self._write("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, ?, ?)", key) == 1

    def handed_in_again(self, key: Key, received: float, timing: str) -> None:
        """Save the last hand-in time of known content, no matter which suites graded it. A more
        reliable time replaces the stored one, and so does the instructor's.
        """
        values = {**key._asdict(), "received": received, "timing": timing}
        with self._transaction() as database:
            database.execute(
                "UPDATE grading SET received = :received, timing = :timing, again = 0,"
                f" again_timing = '' WHERE {_CONTENT}"
                f" AND (strength(:timing) > strength(timing) OR :timing = '{GIVEN}')",
                values,
            )
            database.execute(
                f"UPDATE grading SET again = :received, again_timing = :timing WHERE {_CONTENT}"
                " AND strength(:timing) = strength(timing) AND :received > max(received, again)",
                values,
            )

    def accept(self, key: Key) -> None:
        """Let this grading count, instead of earlier ones of the same content."""
        self._write(_ACCEPT, key._asdict())

    def write(self, *lines: Comment) -> Any:
        """Write lines into the journal, all or none. Return the number of the last one."""
        with self._transaction() as database:
            database.executemany(
                f"INSERT INTO journal ({', '.join(_LINE)}) VALUES ({', '.join('?' * len(_LINE))})",
                [astuple(one)[:-1] for one in lines],
            )
            return database.execute("SELECT max(number) FROM journal").fetchone()[0]

    def journal(self) -> list[Comment]:
        """Return all changes made by hand, the oldest first."""
        query = f"SELECT {', '.join(_LINE)}, number FROM journal ORDER BY number"
        return [Comment(*row) for row in self._read(query)]

    def keep_source(self, sha256: str, files: Mapping[str, str]) -> None:
        """Store the texts of a submission's files by name, unless they are already there."""
        row = (sha256, _packed(json.dumps(files)))
        self._write("INSERT OR IGNORE INTO source VALUES (?, ?)", row)

    def sources(self) -> dict[str, dict[str, str]]:
        """Return the files of every submission, by its hash."""
        return {
            sha256: json.loads(_unpacked(files))
            for sha256, files in self._read("SELECT sha256, files FROM source")
        }

    def add_learners(self, names: Mapping[str, str]) -> None:
        """Add learners by their ids, even without a submission, or update their names."""
        with self._transaction() as database:
            database.executemany(_NAME, names.items())

    def add(self, entry: Entry, *, again: bool = False) -> None:
        """Store a grading unless it is already there, which happens if two runs work at once.

        Replace a grading that failed or, with `again`, any grading, and keep only its hand-in time.
        An earlier grading of the content with other suites or another seed still counts, unless
        `again` is true.
        """
        key = entry.key._asdict()
        with self._transaction() as database:
            database.execute(_NAME, (entry.key.learner, entry.name))
            database.execute(f"DELETE FROM claim WHERE {_KEY}", key)
            old = database.execute(
                f"SELECT received, timing, outcome FROM grading WHERE {_KEY}", key
            ).fetchone()
            if old and not again and old[2] != "error":
                return
            if old:
                entry = replace(entry, received=old[0], timing=old[1])
            other = database.execute(
                f"SELECT 1 FROM grading WHERE {_CONTENT} AND counts AND outcome != 'error'"
                f" AND NOT ({_KEY})",
                key,
            ).fetchone()
            entry = replace(entry, counts=other is None)
            stored = [getattr(entry, name) for name in _PLAIN]
            database.execute(
                f"INSERT OR REPLACE INTO grading ({', '.join(_COLUMNS)})"
                f" VALUES ({', '.join('?' * len(_COLUMNS))})",
                (*entry.key, *stored, json.dumps(entry.marks), _packed(entry.report)),
            )
            if entry.outcome != "error" and (again or other is None):
                database.execute(_ACCEPT, key)

    def explain(self, key: Key, found: Entry) -> None:
        """Store the report of a grading that searched for changes. Its marks stay as they are."""
        mistakes = {mark.id: mark.misconception for mark in found.marks}
        with self._transaction() as database:
            one = key._asdict()
            (marks,) = database.execute(f"SELECT marks FROM grading WHERE {_KEY}", one).fetchone()
            named = [
                mark._replace(misconception=mistakes.get(mark.id, ""))
                for mark in starmap(Mark, json.loads(marks))
            ]
            database.execute(
                f"UPDATE grading SET marks = :marks, report = :report, explained = 1 WHERE {_KEY}",
                {**one, "marks": json.dumps(named), "report": _packed(found.report)},
            )

    def learners(self) -> dict[str, str]:
        """Return the name of every learner, by id."""
        return dict(self._read("SELECT id, name FROM learner ORDER BY id"))

    def entries(self, *, reports: bool = False) -> list[Entry]:
        """Return all gradings, sorted by learner and then by the time they were handed in. Leave
        the reports out unless `reports` is true.
        """
        with self._readable_errors():
            query = f"""
                SELECT name, marks, CASE WHEN :reports THEN report END,
                {", ".join((*Key._fields, *_PLAIN))}
                FROM grading JOIN learner ON learner.id = learner
                ORDER BY learner, received, grading.rowid
            """
            return [_entry(*row) for row in self._read(query, reports=reports)]


def _entry(name: str, marks: str, report: bytes | None, *values: Any) -> Entry:
    key, rest = Key(*values[: len(Key._fields)]), dict(zip(_PLAIN, values[len(Key._fields) :]))
    return Entry(
        key,
        name,
        marks=tuple(starmap(Mark, json.loads(marks))),
        report=_unpacked(report) if report else "",
        **rest,
    )


def _unpacked(text: bytes) -> str:
    return zlib.decompress(text).decode()


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "backslashreplace"))
