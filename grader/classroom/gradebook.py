"""The gradebook: one SQLite file. Each grading is one transaction, so it is stored completely or
not at all.

A grading is identified by learner, content, course, phases and seed, so nothing is graded or
counted twice.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import GraderError, UsageError
from grader.model import Verdict, Visibility

if TYPE_CHECKING:
    from typing_extensions import Self

VERSION = 3
_MAX_REPORT = 64 << 20
WAIT_SECONDS = 30.0  # while another run is writing

_SCHEMA = """
CREATE TABLE IF NOT EXISTS learner (id TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS grading (
    number INTEGER PRIMARY KEY,
    learner TEXT NOT NULL REFERENCES learner (id),
    sha256 TEXT NOT NULL, course TEXT NOT NULL, phases TEXT NOT NULL, seed INTEGER NOT NULL,
    origin TEXT NOT NULL, received REAL NOT NULL, late INTEGER NOT NULL,
    graded REAL NOT NULL, seconds REAL NOT NULL,
    outcome TEXT NOT NULL, message TEXT NOT NULL, score INTEGER NOT NULL, max_score INTEGER NOT NULL,
    report BLOB NOT NULL,
    again REAL NOT NULL DEFAULT 0, again_late INTEGER NOT NULL DEFAULT 0,
    UNIQUE (learner, sha256, course, phases, seed)
);
CREATE TABLE IF NOT EXISTS checkpoint (
    grading INTEGER NOT NULL REFERENCES grading (number), place INTEGER NOT NULL,
    id TEXT NOT NULL, verdict TEXT NOT NULL, earned INTEGER NOT NULL, points INTEGER NOT NULL, bonus INTEGER NOT NULL,
    misconception TEXT NOT NULL, title TEXT NOT NULL, visibility TEXT NOT NULL DEFAULT 'visible',
    PRIMARY KEY (grading, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS comment (
    number INTEGER PRIMARY KEY, learner TEXT NOT NULL REFERENCES learner (id),
    text TEXT NOT NULL, points REAL NOT NULL, written REAL NOT NULL
);
"""  # noqa: E501


_AGAIN = (
    "ALTER TABLE grading ADD COLUMN again REAL NOT NULL DEFAULT 0",
    "ALTER TABLE grading ADD COLUMN again_late INTEGER NOT NULL DEFAULT 0",
)
_OLDER = {
    1: ("ALTER TABLE checkpoint ADD COLUMN visibility TEXT NOT NULL DEFAULT 'visible'", *_AGAIN),
    2: _AGAIN,
}
"""What makes a gradebook of an older version one of this."""

_FOREIGN = "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')"
"""Finds views and triggers. Somebody else must have added them, and they could run with our
queries.
"""

_MARKS = """
SELECT grading, checkpoint.id, verdict, earned, points, bonus, misconception, title, visibility
FROM checkpoint JOIN grading ON grading.number = grading WHERE :learner IS NULL OR learner = :learner ORDER BY grading, place
"""  # noqa: E501
_ENTRIES = """
SELECT number, learner, sha256, course, phases, seed, name, origin, received, late, seconds, outcome, message, score, max_score, graded, again, again_late,
    CASE WHEN :reports THEN report END
FROM grading JOIN learner ON learner.id = learner WHERE :learner IS NULL OR learner = :learner ORDER BY learner, received, number
"""  # noqa: E501


class GradebookError(GraderError):
    """The gradebook cannot be read or written. Its content is unchanged."""


@dataclass(frozen=True)
class Key:
    """What identifies a grading: learner, content, course, phases and seed."""

    learner: str
    sha256: str
    course: str
    phases: str
    seed: int


@dataclass(frozen=True)
class Mark:
    """One checkpoint of one grading. `misconception` is the known mistake that was recognised, if
    any.
    """

    id: str
    verdict: str
    earned: int
    points: int
    bonus: bool
    misconception: str = ""
    title: str = ""
    visibility: str = "visible"

    @property
    def column(self) -> str:
        """Return the column's heading: the id, with a remark if learners may not see the result."""
        told = Visibility(self.visibility).told
        return f"{self.id} ({told})" if told else self.id


@dataclass(frozen=True)
class Entry:
    """One grading, with the report as JSON. `outcome` is `graded`, `refused` if the submission
    could not be read, or `error` if the grader failed.
    """

    key: Key
    name: str
    origin: str
    received: float
    late: bool
    seconds: float
    outcome: str
    message: str = ""
    score: int = 0
    max_score: int = 0
    marks: tuple[Mark, ...] = ()
    report: str = ""
    graded: float = 0.0
    again: float = 0.0
    again_late: bool = False

    @property
    def as_last(self) -> Entry:
        """The grading as it was handed in last, if the same content came more than once."""
        if self.again <= self.received:
            return self
        return replace(self, received=self.again, late=self.again_late)


@dataclass(frozen=True)
class Comment:
    """A person's remark on a learner's mark, and the points that it adds or takes away."""

    learner: str
    text: str
    points: float = 0.0
    written: float = 0.0


class Gradebook:
    """An open gradebook. Several processes may have it open; each write waits for the others."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._told():
            self._database = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute("PRAGMA synchronous = FULL")
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if self._database.execute(_FOREIGN).fetchone():
                raise GradebookError(
                    f"{file} contains views or triggers, so it is not a gradebook",
                    "name a different file with --gradebook FILE",
                )
            if version not in {0, *_OLDER, VERSION}:
                raise GradebookError(
                    f"{file} was written by another version of the kit ({version})",
                    "use that version, or start a new gradebook",
                )
            if (
                version == VERSION
                # no write: a current gradebook can be opened on a full or read-only disk
            ):
                return
            with self._transaction():
                for statement in (*_OLDER.get(version, ()), *_SCHEMA.split(";")):
                    self._database.execute(statement)
                self._database.execute(f"PRAGMA user_version = {VERSION}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn database errors into GradebookErrors with a hint."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            told = f"the gradebook {str(self._file)!r} cannot be used: {error}"
            if "full" in str(error):
                raise GradebookError(
                    f"{told}; everything graded before is kept",
                    "free some space, then run the same command again",
                ) from error
            if "locked" in str(error):
                raise GradebookError(
                    told,
                    "another run is writing to it, or the drive does not support locks; run the"
                    " same command again",
                ) from error
            raise GradebookError(
                told, "name a new file with --gradebook FILE; the old one stays unchanged"
            ) from error
        except sqlite3.Error as error:
            raise GradebookError(
                f"the gradebook {str(self._file)!r} cannot be used: {error}",
                "check the folder and its permissions",
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

    def has(self, key: Key) -> bool:
        """Return whether this grading is stored. Errors of the grader do not count, so they are
        tried again.
        """
        with self._told():
            found = self._database.execute(
                "SELECT 1 FROM grading WHERE learner = ? AND sha256 = ? AND course = ? AND phases ="
                " ? AND seed = ? AND outcome != 'error'",
                (key.learner, key.sha256, key.course, key.phases, key.seed),
            )
            return found.fetchone() is not None

    def handed_in_again(self, key: Key, received: float, *, late: bool) -> None:
        """Save when known content was handed in last."""
        values = (key.learner, key.sha256, key.course, key.phases, key.seed)
        with self._told():
            found = self._database.execute(
                "SELECT number, max(received, again) FROM grading WHERE learner = ?"
                " AND sha256 = ? AND course = ? AND phases = ? AND seed = ?",
                values,
            ).fetchone()
            if found is None or found[1] >= received:
                return
            with self._transaction():
                self._database.execute(
                    "UPDATE grading SET again = ?, again_late = ? WHERE number = ?",
                    (received, late, found[0]),
                )

    def add_comment(self, comment: Comment) -> None:
        """Write a comment on a learner who is in the gradebook."""
        with self._told(), self._transaction():
            self._database.execute(
                "INSERT INTO comment (learner, text, points, written) VALUES (?, ?, ?, ?)",
                (comment.learner, comment.text, comment.points, comment.written or time.time()),
            )

    def comments(self) -> dict[str, list[Comment]]:
        """Return the comments on each learner, the oldest first."""
        found: dict[str, list[Comment]] = {}
        with self._told():
            for row in self._database.execute(
                "SELECT learner, text, points, written FROM comment ORDER BY number"
            ):
                found.setdefault(row[0], []).append(Comment(*row))
        return found

    def add_learner(self, learner: str, name: str) -> None:
        """Add a learner, even without a submission, or update the name."""
        with self._told(), self._transaction():
            self._name(learner, name)

    def _name(self, learner: str, name: str) -> None:
        self._database.execute(
            "INSERT INTO learner VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            (learner, name),
        )

    def add(self, entry: Entry, *, again: bool = False) -> bool:
        """Write a grading; False if it was in there, which two runs at once may find. One that the
        grader failed at is replaced, and with `again` any: only the time of submission stays.
        """
        key = entry.key
        where = (key.learner, key.sha256, key.course, key.phases, key.seed)
        with self._told(), self._transaction():
            self._name(key.learner, entry.name)
            old = self._database.execute(
                "SELECT number, received, late FROM grading WHERE learner = ? AND sha256 = ? AND"
                " course = ? AND phases = ? AND seed = ? AND (? OR outcome = 'error')",
                (*where, again),
            ).fetchone()
            received, late = old[1:] if old else (entry.received, entry.late)
            if old:
                self._database.execute("DELETE FROM checkpoint WHERE grading = ?", old[:1])
                self._database.execute("DELETE FROM grading WHERE number = ?", old[:1])
            values = (
                *where,
                entry.origin,
                received,
                late,
                entry.graded or time.time(),
                entry.seconds,
                entry.outcome,
                entry.message,
                entry.score,
                entry.max_score,
                zlib.compress(entry.report.encode("utf-8", "backslashreplace")),
            )
            done = self._database.execute(
                "INSERT INTO grading (learner, sha256, course, phases, seed, origin, received,"
                " late, graded, seconds, outcome, message, score, max_score, report) VALUES (?, ?,"
                " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                values,
            )
            if not done.rowcount:
                return False
            self._database.executemany(
                "INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        done.lastrowid,
                        place,
                        m.id,
                        m.verdict,
                        m.earned,
                        m.points,
                        m.bonus,
                        m.misconception,
                        m.title,
                        m.visibility,
                    )
                    for place, m in enumerate(entry.marks)
                ],
            )
            return True

    def learners(self) -> dict[str, str]:
        """Return the name of every learner, by id."""
        with self._told():
            return dict(self._database.execute("SELECT id, name FROM learner ORDER BY id"))

    def entries(self, learner: str | None = None, *, reports: bool = False) -> list[Entry]:
        """Return all gradings, or those of one learner, sorted by learner and then by the time they
        were handed in. Leave the reports out unless `reports` is true.
        """
        with self._told():
            marks: dict[int, list[Mark]] = {}
            for number, id, verdict, earned, points, bonus, *told in self._database.execute(
                _MARKS, {"learner": learner}
            ):
                marks.setdefault(number, []).append(
                    Mark(id, verdict, earned, points, bool(bonus), *told)
                )
            rows = self._database.execute(
                _ENTRIES, {"learner": learner, "reports": reports}
            ).fetchall()
        try:
            return [_entry(row, marks.get(row[0], [])) for row in rows]
        except (ValueError, TypeError, AttributeError, OverflowError, zlib.error) as error:
            raise GradebookError(
                f"the gradebook {str(self._file)!r} is damaged: {error}",
                "name a new file with --gradebook FILE; the old one stays unchanged",
            ) from error


def _unpacked(report: bytes) -> str:
    """Decompress a report. Raise ValueError if it is larger than `_MAX_REPORT`."""
    stream = zlib.decompressobj()
    text = stream.decompress(report, _MAX_REPORT)
    if stream.unconsumed_tail:
        raise ValueError(f"a report is longer than {_MAX_REPORT >> 20} MiB")
    return text.decode()


def _entry(row: Sequence[object], marks: Sequence[Mark]) -> Entry:
    (
        _,
        learner,
        sha256,
        course,
        phases,
        seed,
        name,
        origin,
        received,
        late,
        seconds,
        outcome,
        message,
        score,
        max_score,
        graded,
        again,
        again_late,
        report,
    ) = row
    texts = [learner, sha256, course, phases, name, origin, outcome, message]
    texts += [text for m in marks for text in (m.id, m.misconception, m.title)]
    numbers = [seed, received, late, seconds, score, max_score, graded, again]
    numbers += [number for m in marks for number in (m.earned, m.points)]
    if not all(isinstance(text, str) for text in texts) or not all(
        isinstance(number, (int, float)) for number in numbers
    ):
        raise TypeError("a column has values of the wrong type")
    for mark in marks:
        Verdict(mark.verdict), Visibility(mark.visibility)
    return Entry(
        Key(learner, sha256, course, phases, seed),  # type: ignore[arg-type]
        name,  # type: ignore[arg-type]
        origin,  # type: ignore[arg-type]
        received,  # type: ignore[arg-type]
        bool(late),
        seconds,  # type: ignore[arg-type]
        outcome,  # type: ignore[arg-type]
        message,  # type: ignore[arg-type]
        score,  # type: ignore[arg-type]
        max_score,  # type: ignore[arg-type]
        tuple(marks),
        _unpacked(report) if report else "",  # type: ignore[arg-type]
        graded,  # type: ignore[arg-type]
        again,  # type: ignore[arg-type]
        bool(again_late),
    )


def current(entries: Sequence[Entry]) -> list[Entry]:
    """Drop older gradings of content that was graded again, with another suite or another seed."""
    newest: dict[tuple[str, str, str], Entry] = {}
    for entry in entries:
        content = (entry.key.learner, entry.key.sha256, entry.key.phases)
        if content not in newest or entry.graded >= newest[content].graded:
            newest[content] = entry
    kept = {id(entry) for entry in newest.values()}
    return [entry for entry in entries if id(entry) in kept]


def chosen(
    entries: Sequence[Entry], keep: str, worth: Callable[[Entry], float] = lambda one: one.score
) -> dict[str, Entry]:
    """Return the entry that counts for each learner: the `best`, of equals the earliest, or the
    `last` that was handed in. An ungraded entry is never the best if there is a graded one.
    """
    counting: dict[str, Entry] = {}
    for entry in current(entries):
        one = entry.as_last if keep == "last" else entry
        old = counting.get(one.key.learner)
        better = old is None or (
            one.received >= old.received
            if keep == "last"
            else (one.outcome == "graded", worth(one)) > (old.outcome == "graded", worth(old))
        )
        if better:
            counting[one.key.learner] = one
    return counting


def of_one_kind(entries: Sequence[Entry], kind: str | None) -> list[Entry]:
    """Return the entries of these phases. Raise UsageError if they differ and `kind` is None."""
    kinds = sorted({entry.key.phases for entry in entries})
    if kind is None and len(kinds) > 1:
        raise UsageError(
            f"the gradebook has gradings of different kinds: {'; '.join(kinds)}",
            "choose one with --phases, and add --together unless it ends in --isolate",
        )
    return [entry for entry in entries if kind in {None, entry.key.phases}]
