"""A class is explained after it was graded: marks stay, and nothing is searched twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.entries import Mark
from grader.classroom.gradebook import Gradebook, GradebookError
from grader.classroom.statistics import mistakes_in
from grader.model import CheckResult, Diagnosis, Frame, Misconception, Proof, Verdict
from grader.views.json import to_json
from support.classroom import COURSE, command, entry, learners_of, stored
from support.grading import by_id, grade

PLACE = Frame("engine.py", 3, "Value.__init__", "self.grad = 1.0")
PROOF = Proof(PLACE, "phase1", "number", only=True, gone="self.grad = 1.0", come="self.grad = 0.0")


@pytest.mark.slow
def test_explaining_changes_no_mark_goes_on_where_it_was_and_outlives_what_hangs(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(handed_in, "--phases", "phase1")
    graded = stored()
    assert all(not one.proofs for one in graded)
    words = ("explain", handed_in, "--phases", "phase1", "--jobs", "1")
    missing = "3 of 5 fail where no change was searched yet"
    assert missing in command("report")[1]

    store, times = Gradebook.explain, iter(range(9))

    def interrupted(*arguments: Any) -> None:
        if next(times) == 1:
            raise KeyboardInterrupt
        store(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Gradebook, "explain", interrupted)
        code, told = command(*words)
    assert (code, "stopped: 3 of 5 are explained; run the same command again" in told) == (
        130,
        True,
    )
    assert sum(bool(one.proofs) for one in stored()) == 1
    assert "2 searched, 3 with nothing to search" in command(*words)[1]
    assert "5 with nothing to search" in command(*words)[1]
    assert "5 not in the gradebook" in command(*words, "--seed", "5")[1]

    explained = {one.key.learner: one for one in stored()}
    assert [replace(one, proofs={}) for one in explained.values()] == graded
    (proof,) = explained["bob"].proofs.values()
    assert proof is not None
    assert (proof.place.source, proof.come.strip()) == ("self.grad = 1.0", "self.grad = 0.0")
    assert [*explained["dee"].proofs.values()] == [None]
    report = explained["bob"].read_report()
    assert report is not None
    diagnosis = by_id(report)["phase1.grad"].diagnosis
    assert diagnosis is not None
    assert diagnosis.proof.endswith("all of phase1 passes")
    assert "fail where no change" not in command("report")[1] + command("show", "bob")[1]
    learners = learners_of(Path("class.html").read_text(encoding="utf-8"))
    assert [len(one["mistakes"]) for one in learners if one["id"] == "bob"] == [1]


@pytest.mark.parametrize(
    "found", ['{"kind": ""}', "[1]", '{"place": ["engine.py", 3, ""]}', "{", "[]"]
)
def test_a_damaged_change_is_reported(book: Gradebook, found: str) -> None:
    book.add(entry())
    book.explain(entry().key, {"phase1.grad": PROOF})
    with closing(sqlite3.connect(book.file)) as database:
        database.execute("UPDATE proof SET found = ?", (found,))
        database.commit()
    with pytest.raises(GradebookError, match="is damaged"):
        book.entries()


def test_the_first_failure_of_each_phase_that_learners_see_is_searched() -> None:
    marks = [
        ("phase1.a", "failed", True, "visible"),
        ("phase1.b", "failed", False, "hidden"),
        ("phase1.c", "failed", False, "visible"),
        ("phase1.d", "failed", False, "visible"),
        ("phase2.a", "blocked", False, "visible"),
        ("phase3.a", "failed", True, "visible"),
        ("phase4.a", "failed", False, "visible"),
    ]
    all_marks = tuple(Mark(id, was, 0, 1, bonus, "", id, seen) for id, was, bonus, seen in marks)
    one = replace(entry(), marks=all_marks, proofs={"phase4.b": None})
    assert one.unexplained == {"phase1": "phase1.c", "phase3": "phase3.a"}


@pytest.mark.parametrize(
    ("place", "sure", "expected"),
    [
        (PLACE, False, ["phase1.x"]),
        (replace(PLACE, function="Value.__repr__"), True, ["phase1.x"]),
        (
            replace(PLACE, function="Value.__repr__"),
            False,
            ["phase1 In `Value.__repr__` a number is wrong."],
        ),
        (
            replace(PLACE, function="ada_s_own"),
            False,
            ["phase1 In another function of phase1 a number is wrong."],
        ),
    ],
)
def test_learners_are_grouped_by_mistakes_and_by_what_mends_them(
    place: Frame, *, sure: bool, expected: list[str], tmp_path: Path
) -> None:
    known = Diagnosis(misconceptions=(Misconception("phase1.x", "X", "because", sure=sure),))
    failed = CheckResult("phase1.grad", "t", Verdict.FAILED, 1, diagnosis=known, where=PLACE)
    (tmp_path / "engine.py").touch()
    report = grade(tmp_path, "phase1")
    report = report.mapped(lambda one: failed if one.id == failed.id else one)
    proofs = {"phase1.grad": replace(PROOF, place=place)}
    explained = replace(entry(), proofs=proofs, report=to_json(report))
    assert [*mistakes_in(COURSE, explained, explained.read_report())] == expected
    assert [*mistakes_in(COURSE, entry(), None)] == ["phase1.x"]
