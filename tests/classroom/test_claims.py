"""Several runs on one gradebook share the work, and none waits for a run that is dead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader.classroom import round as round_module
from grader.classroom.entries import Entry
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import Task
from grader.classroom.layout import find_handed_in
from grader.classroom.round import Round
from support import touch
from support.classroom import HOW
from support.grading import COURSE


@pytest.mark.parametrize("finishes", [True, False])
def test_what_another_run_has_begun_comes_last(
    book: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finishes: bool
) -> None:
    """The other run has begun Ada's submission, and then finishes it or is killed."""
    touch(*(tmp_path / "in" / name / "engine.py" for name in ("ada", "bob")))
    handed = find_handed_in(tmp_path / "in")[1]
    graded: list[str] = []

    def entry(task: Task) -> Entry:
        return Entry(task.key, "Ada", "in/ada", 1.0, "exact", "graded")

    def grade_all(tasks: Iterable[Task], *_: object) -> Iterator[Entry]:
        for task in tasks:
            graded.append(task.key.learner)
            if finishes:
                book.add(entry(adas))
            yield entry(task)

    monkeypatch.setattr(round_module, "grade_all", grade_all)
    with Gradebook(tmp_path / "book") as other:
        adas = next(Round(COURSE, HOW, other)._tasks(handed))
    outcomes: list[str] = []
    Round(COURSE, HOW, book, tell=lambda outcome, _: outcomes.append(outcome)).grade(handed, 1)
    assert outcomes == ["graded", "known" if finishes else "graded"]
    assert graded == (["bob"] if finishes else ["bob", "ada"])
