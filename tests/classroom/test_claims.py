"""Several runs on one gradebook share the work, and none waits for a run that is dead."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader.classroom import round as round_module
from grader.classroom.claims import Claims
from grader.classroom.entries import Entry, Key
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import Task
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from support.classroom import COURSE, HOW, touch

KEY = Key("ada", "a", "course", "phase1", 20)


def entry(key: Key, graded: float = 5.0) -> Entry:
    return Entry(key, "Ada", "in/ada", 1.0, "exact", 0.1, "graded", graded=graded)


def test_only_one_run_gets_a_submission(book: Gradebook, tmp_path: Path) -> None:
    with Gradebook(tmp_path / "book") as other, Claims(other) as theirs:
        with Claims(book) as ours:
            found = [ours.take(KEY, 0.0), ours.take(KEY, 0.0), theirs.take(KEY, 0.0)]
            assert found == [True, True, False]
            assert theirs.take(KEY._replace(sha256="b"), 0.0)
        assert theirs.take(KEY, 0.0)
        book.add(entry(KEY))
        assert (theirs.take(KEY, 0.0), theirs.take(KEY, 6.0)) == (False, True)
    assert [file.name for file in tmp_path.iterdir()] == ["book"]


def test_a_killed_run_loses_its_claims_at_once(book: Gradebook, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from grader.classroom.claims import *\n"
        "with Gradebook(Path(sys.argv[1])) as book, Claims(book) as claims:\n"
        "    claims.take(Key('ada', 'a', 'course', 'phase1', 20), 0.0)\n"
        "    print('taken', flush=True); sys.stdin.read()\n"
    )
    command, pipe = [sys.executable, "-c", program, str(tmp_path / "book")], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as run, Claims(book) as ours:
        assert run.stdout is not None
        assert run.stdout.readline().strip() == b"taken"
        assert not ours.take(KEY, 0.0)
        run.kill()
        run.wait()
        assert ours.take(KEY, 0.0)


@pytest.mark.parametrize("finishes", [True, False])
def test_a_run_waits_for_submissions_that_another_run_is_grading(
    book: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finishes: bool
) -> None:
    """The other run has claimed Ada's submission, and then finishes it or is stopped."""
    touch(*(tmp_path / "in" / name / "engine.py" for name in ("ada", "bob")))
    handed = find_handed_in(tmp_path / "in")[1]
    other, round_ = Claims(book), Round(COURSE, HOW, book, ())
    graded: list[str] = []

    def grade_all(tasks: Iterable[Task], *_: object) -> Iterator[Entry]:
        for task in tasks:
            graded.append(task.key.learner)
            yield entry(task.key, 0.0)

    def other_goes_on(_seconds: float) -> None:
        if finishes:
            book.add(entry(ada.key, 0.0))
        other.__exit__()

    monkeypatch.setattr(round_module, "grade_all", grade_all)
    monkeypatch.setattr("time.sleep", other_goes_on)
    with other:
        ada = next(round_._tasks(handed, other, print))
        outcomes = [outcome for outcome, _ in round_.grade(handed, 1)]
    assert outcomes == ["graded", "waiting", "known" if finishes else "graded"]
    assert graded == (["bob"] if finishes else ["bob", "ada"])
