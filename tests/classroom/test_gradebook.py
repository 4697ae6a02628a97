"""A gradebook that nothing can spoil."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import gradebook
from grader.classroom.entries import chosen
from grader.classroom.gradebook import Gradebook, GradebookError
from grader.classroom.times import EXACT
from grader.errors import UsageError
from support.classroom import command, entry


def test_nothing_is_doubled(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as one, Gradebook(tmp_path / "book") as other:
        one.add(entry())
        other.add(entry())
        assert one.entries(reports=True) == other.entries(reports=True) == [entry()]
        assert one.has(entry().key)
        assert not one.has(entry().key._replace(seed=1))


def test_a_failure_of_the_grader_is_tried_again_and_replaced(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry(outcome="error", score=0))
        assert not book.has(entry().key)
        book.add(entry())
        assert [found.outcome for found in book.entries()] == ["graded"]


def test_the_best_or_the_last_counts() -> None:
    entries = [
        entry(sha256="a", score=3, received=1),
        entry(sha256="b", score=5, received=2),
        entry(sha256="c", score=5, received=3),
        entry(sha256="d", score=1, received=4),
    ]
    failed = entry(sha256="e", score=9, outcome="error")
    assert chosen([*entries, failed], "best")["ada"].key.sha256 == "b"
    assert chosen(entries, "last")["ada"].key.sha256 == "d"


def test_an_earlier_version_that_is_handed_in_again_is_the_last(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry(sha256="a", score=6, received=1))
        book.add(entry(sha256="b", score=0, received=2))
        book.handed_in_again(entry(sha256="a").key, 3, EXACT)
        found = [chosen(book.entries(), keep)["ada"] for keep in ("last", "best")]
    assert [(one.score, one.received) for one in found] == [(6, 3), (6, 1)]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_any_moment_every_row_is_whole(tmp_path: Path) -> None:
    program = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from grader.classroom.entries import *\n"
        "from grader.classroom.gradebook import *\n"
        "marks = tuple(Mark(f'phase1.c{n}', 'passed', 1, 1, False) for n in range(60))\n"
        "e = Entry(Key('ada', '', 'c', 'p', 1), 'Ada', '', 0.0, '', 0.0, 'graded', '', 60, 60, "
        "marks, 'x' * 5000)\n"
        "book = Gradebook(Path(sys.argv[1]))\n"
        "for n in range(10**6):\n"
        "    book.add(replace(e, key=e.key._replace(sha256=f'{sys.argv[2]}-{n}')))\n"
        "    n or print('begun', flush=True)\n"
    )
    for number, pause in enumerate((0.01, 0.05, 0.11, 0.2)):
        with subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "book"), str(number)],
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause)
            process.kill()
        with Gradebook(tmp_path / "book") as book:
            entries = book.entries(reports=True)
        assert all(len(found.marks) == 60 and len(found.report) == 5000 for found in entries)
    assert entries


def test_a_gradebook_is_read_without_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.classroom.gradebook.WAIT_SECONDS", 0.1)
    with Gradebook(tmp_path / "gradebook.sqlite") as book:
        book.add(entry("bob"))  # whose report is none
        book.add(replace(entry(), report=""))
        book._database.execute("BEGIN IMMEDIATE")  # nobody else can write now
        monkeypatch.chdir(tmp_path)
        assert command("--export", "grades.csv").exception is None
        assert command("report").exception is None
        assert command("show", "ada").exception is None
    (tmp_path / "gradebook.sqlite").unlink()
    assert isinstance(command("--export", "other.csv").exception, UsageError)
    assert not (tmp_path / "gradebook.sqlite").exists()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE learner SET name = x'ff'", "is damaged"),
        ("UPDATE grading SET score = 'x'", "is damaged"),
        ("UPDATE grading SET report = 'x'", "is damaged"),
        ("UPDATE grading SET marks = '[1]'", "is damaged"),
        ("UPDATE grading SET marks = replace(marks, 'passed', '?')", "is damaged"),
        ("UPDATE grading SET timing = '?'", "is damaged"),
        ("DROP TABLE grading", "cannot be used: no such table"),
        ("PRAGMA user_version = 5", "another version of the kit wrote it"),
        ("PRAGMA user_version = 0", "is not a gradebook"),
    ],
)
def test_a_gradebook_that_somebody_else_made_is_refused(
    tmp_path: Path, statement: str, message: str
) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry())
    with closing(sqlite3.connect(tmp_path / "book")) as database, database:
        database.execute(statement)
    with (
        pytest.raises(GradebookError, match=message) as refused,
        Gradebook(tmp_path / "book") as book,
    ):
        book.entries(reports=True)
    assert "--gradebook FILE" in refused.value.hint


def test_a_report_that_unpacks_to_gigabytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(replace(entry(), report="{}" * 5000))
        monkeypatch.setattr(gradebook, "_MAX_REPORT", 1000)
        with pytest.raises(GradebookError, match="a report is longer"):
            book.entries(reports=True)


def test_a_full_disk_and_a_stranger_s_file_are_reported(tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as book:
        book.add(entry())
        book._database.execute("PRAGMA max_page_count = 1")
        large = replace(entry(sha256="b"), report=os.urandom(200_000).hex())
        with pytest.raises(GradebookError, match="full"):
            book.add(large)
        assert book.entries(reports=True) == [entry()]
    (tmp_path / "text").write_text("this is no database\n" * 50, encoding="utf-8")
    with pytest.raises(GradebookError, match="not a database"):
        Gradebook(tmp_path / "text")
