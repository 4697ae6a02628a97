"""The time for a whole submission: used up, the later checkpoints get their verdict at once, and
the right party is blamed.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.judge import budget as budget_module
from grader.judge.budget import Budget, OutOfTime
from grader.judge.explain.diagnose import Doctor
from grader.judge.grade import grade_submission
from grader.judge.job import Job
from grader.model import Kind, Report, Verdict
from support import ROOT
from support.fake import submission

SOLUTION = (ROOT / "solutions" / "engine.py").read_text(encoding="utf-8")
HANGS = (
    SOLUTION + "\n\ndef _hang(self, other):\n    while True:\n        pass\n\n\nValue.__add__ ="
    " Value.__radd__ = _hang\n"
)
SLEEPS = (
    f"{SOLUTION}\n\nimport time\ninit = Value.__init__\nValue.__init__ = lambda self, *a, **k:"
    " (time.sleep(0.004), init(self, *a, **k))[1]\n"
)


class Clock:
    """Stands still, unless told to jump once it has been looked at so many times."""

    def __init__(self, jump_at: int = 1 << 60, seconds: float = 1e6) -> None:
        self.looks, self._jump_at, self._seconds = 0, jump_at, seconds

    def __call__(self) -> float:
        self.looks += 1
        return self._seconds if self.looks >= self._jump_at else 0.0


def graded(source: str, clock: Callable[[], float]) -> Report:
    course = load_course()
    host = ProcessHost(clock=clock)
    return grade_submission(Job(course, submission(source), host), course.select(["phase2"]))


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """The budgets of the submissions that are graded."""
    found: list[Budget] = []
    allow = Budget.allow

    def noted(budget: Budget, stages: int) -> None:
        found.append(budget)
        allow(budget, stages)

    monkeypatch.setattr(Budget, "allow", noted)
    return found


def test_a_submission_that_was_never_too_slow_itself_gets_no_failure() -> None:
    report = graded(SOLUTION, Clock(jump_at=20))
    verdicts = [result.verdict for result in report.checkpoints]
    assert set(verdicts) == {Verdict.PASSED, Verdict.ERROR}
    assert verdicts == sorted(verdicts, key=[Verdict.PASSED, Verdict.ERROR].index), (
        "once out of time, always"
    )
    assert "the 80 s for the whole submission are used up" in report.checkpoints[-1].message
    late = graded(SOLUTION, Clock(jump_at=2))  # before the first checkpoint
    assert {(r.verdict, r.kind) for r in late.checkpoints} == {(Verdict.ERROR, None)}
    assert (report.exit_code, late.exit_code) == (3, 3)


@pytest.mark.slow
def test_a_submission_that_did_not_end_before_fails_by_it(budgets: list[Budget]) -> None:
    report = graded(HANGS, lambda: 1e6 if budgets and budgets[-1].overran else 0.0)
    assert Verdict.ERROR not in {result.verdict for result in report.checkpoints}
    told = {
        (result.verdict, result.kind)
        for result in report.checkpoints
        if result.message.startswith("not run: the 80 s")
    }
    assert told == {(Verdict.FAILED, Kind.TIMEOUT)}
    assert all(result.diagnosis is None for result in report.checkpoints), (
        "a diagnosis takes time, too"
    )


@pytest.mark.slow
def test_a_submission_that_sleeps_its_time_away_fails_by_it(
    monkeypatch: pytest.MonkeyPatch, budgets: list[Budget]
) -> None:
    monkeypatch.setattr(budget_module, "SUBMISSION_SECONDS", 0.25)
    monkeypatch.setattr(budget_module, "STAGE_SECONDS", 0.0)
    # the judge itself takes no time
    report = graded(SLEEPS, lambda: budgets[-1].waited)
    assert not budgets[-1].overran, "no request takes longer than it may"
    assert Verdict.ERROR not in {result.verdict for result in report.checkpoints}
    last = report.checkpoints[-1]
    assert (last.kind, last.message) == (
        Kind.TIMEOUT,
        (
            "not run: the 0.25 s for the whole submission are used up, because its code hangs or"
            " sleeps"
        ),
    )


def test_time_that_is_up_during_a_diagnosis_leaves_the_verdicts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_late(*_: object) -> None:
        raise OutOfTime(80, slow=False)

    monkeypatch.setattr(Doctor, "diagnose", too_late)
    report = graded(SOLUTION.replace("self.data + other.data", "self.data - other.data"), Clock())
    assert {result.verdict for result in report.checkpoints} >= {Verdict.PASSED, Verdict.FAILED}
    assert all(result.diagnosis is None for result in report.checkpoints)
