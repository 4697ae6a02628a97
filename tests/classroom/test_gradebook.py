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
from typing import Any

import pytest

from grader.classroom.entries import Entry, chosen
from grader.classroom.gradebook import Gradebook
from grader.classroom.times import EXACT
from grader.errors import InternalError
from support.classroom import command, entry


def test_nothing_is_doubled(book: Gradebook, tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as other:
        for one in (book, other):
            one.add(entry())
        assert book.entries(reports=True) == other.entries(reports=True) == [entry()]
    assert (book.has(entry().key), book.has(entry().key._replace(seed=1))) == (True, False)


def test_a_failure_of_the_grader_is_tried_again_and_replaced(book: Gradebook) -> None:
    book.add(entry(outcome="error", score=0))
    assert not book.has(entry().key)
    book.add(entry())
    assert [found.outcome for found in book.entries()] == ["graded"]


def test_the_best_or_the_last_counts_even_if_it_is_handed_in_again(book: Gradebook) -> None:
    for number, score in enumerate((6, 5, 6, 1), 1):
        book.add(entry(sha256=f"{score}, {number}", score=score, received=number))
    book.add(entry(sha256="e", score=9, outcome="error"))
    for again, counted in ((False, ["6, 1", "1, 4"]), (True, ["6, 1", "5, 2"])):
        if again:
            book.handed_in_again(entry(sha256="5, 2").key, 5, EXACT)
        found = [chosen(book.entries(), keep)["ada"] for keep in ("best", "last")]
        assert [one.key.sha256 for one in found] == counted


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_any_moment_every_row_is_whole(tmp_path: Path) -> None:
    program = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from grader.classroom.entries import *\n"
        "from grader.classroom.gradebook import *\n"
        "marks = tuple(Mark(f'phase1.c{n}', 'passed', 1, 1, False) for n in range(60))\n"
        "e = Entry(Key('ada', '', 'c', 'p', 1), 'Ada', '', 0.0, '', 'graded', '', 60, 60, "
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


def test_a_gradebook_is_read_without_writing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.classroom.gradebook.WAIT_SECONDS", 0.1)
    with Gradebook(here / "gradebook.sqlite") as book:
        book.add(entry("bob"))  # whose report is none
        book.add(replace(entry(), report=""))
        book._database.execute("BEGIN IMMEDIATE")  # nobody else can write now
        for words in ("export --to csv", "report", "show ada"):
            assert command(*words.split())[0] == 0
    (here / "gradebook.sqlite").unlink()
    assert command("export", "--to", "csv")[0] == 2
    assert not (here / "gradebook.sqlite").exists()


def test_one_grading_of_the_same_content_counts(book: Gradebook) -> None:
    def by(course: str, **changes: Any) -> Entry:
        return replace(entry(), key=entry().key._replace(course=course), **changes)

    def counting() -> list[str]:
        return [one.key.course for one in book.entries() if one.counts]

    found = []
    for one, again in (
        (by("old"), False),
        (by("other verdicts", marks=entry().marks[1:]), False),
        (by("broken", outcome="error"), True),
        (by("same verdicts"), True),
        (by("other verdicts", marks=entry().marks[1:]), True),
    ):
        book.add(one, again=again)
        found += counting()
    book.accept(by("old").key)
    assert found + counting() == [*["old"] * 3, "same verdicts", "other verdicts", "old"]
    book.handed_in_again(entry().key, 9.0, EXACT)
    assert {one.again for one in book.entries()} == {9.0}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE grading SET report = 'x'", "cannot be used"),
        ("UPDATE grading SET marks = '[1]'", "cannot be used"),
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
        pytest.raises(InternalError, match=message) as refused,
        Gradebook(tmp_path / "book") as book,
    ):
        book.entries(reports=True)
    assert "--gradebook FILE" in refused.value.hint


def test_a_full_disk_and_a_stranger_s_file_are_reported(book: Gradebook, tmp_path: Path) -> None:
    book.add(entry())
    book._database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(InternalError, match="full"):
        book.add(replace(entry(sha256="b"), report=os.urandom(200_000).hex()))
    assert book.entries(reports=True) == [entry()]
    book._database.execute("PRAGMA query_only = ON")
    with pytest.raises(InternalError, match="readonly") as refused:
        book.add(entry(sha256="c"))
    assert "make the file and its folder writable" in refused.value.hint
    (tmp_path / "text").write_text("this is no database\n" * 50, encoding="utf-8")
    with pytest.raises(InternalError, match="not a database"):
        Gradebook(tmp_path / "text")
