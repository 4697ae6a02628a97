"""A class is explained after it was graded: marks stay, and nothing is searched twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.classroom.entries import Mark
from grader.classroom.grading import _mistake
from grader.model import CheckResult, Diagnosis, Frame, Misconception, Proof, Verdict
from support.classroom import entry
from support.grading import COURSE

PLACE = Frame("engine.py", 3, "Value.__init__", "self.grad = 1.0")
PROOF = Proof(PLACE, "phase1", only=True, gone="self.grad = 1.0", come="self.grad = 0.0")


def test_failures_that_learners_see_are_searched_once() -> None:
    def marks(verdict: str, visibility: str) -> tuple[Mark, ...]:
        return (Mark("phase1.a", verdict, 0, 1, False, "", "a", visibility),)

    found = {
        name: replace(entry(), marks=marks(*name)).unexplained
        for name in (("failed", "visible"), ("failed", "hidden"), ("blocked", "visible"))
    }
    assert [*found.values()] == [True, False, False]
    assert not replace(entry(), marks=marks("failed", "visible"), explained=True).unexplained


@pytest.mark.parametrize(
    ("function", "known", "expected"),
    [
        ("Value.__init__", True, "phase1.x"),
        ("Value.__init__", False, "In `Value.__init__` a number is wrong."),
        ("ada_s_own", False, "In another function of phase1 a number is wrong."),
    ],
)
def test_a_mistake_is_a_known_one_or_what_mends_it(
    function: str, *, known: bool, expected: str
) -> None:
    recognised = (Misconception("phase1.x", "X", "because"),) if known else ()
    mend = replace(PROOF, place=replace(PLACE, function=function))
    diagnosis = Diagnosis(misconceptions=recognised, mend=mend)
    failed = CheckResult(Verdict.FAILED, id="phase1.grad", title="t", points=1, diagnosis=diagnosis)
    assert _mistake(failed, COURSE) == expected
