"""The time for a whole submission: used up, the later checkpoints get their verdict at once, and
the right party is blamed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.judge import budget as budget_module
from grader.judge.budget import STAGE_SECONDS, SUBMISSION_SECONDS, Budget, OutOfTime
from grader.judge.diagnosis.diagnose import Doctor
from grader.judge.grade import grade_submission
from grader.judge.job import Caches, Job
from grader.judge.memory import Memory
from grader.judge.script.steps import Apply, Make, Read, Step
from grader.judge.session import WorkerLost
from grader.model import Fault, Kind, Report, Verdict
from grader.worker.protocol import Ref
from support import ROOT
from support.fake import InProcess, submission
from support.start import Begin

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


def graded(source: str, clock: Clock, phases: Sequence[str] = ("phase2",)) -> Report:
    course = load_course()
    stages = course.select(list(phases))
    with ProcessHost(clock=clock) as host:
        return grade_submission(Job(course, submission(source), host), stages)


def test_within_the_time_limit_nothing_changes() -> None:
    clock = Clock()
    report = graded(SOLUTION, clock)
    assert report.exit_code == 0
    assert clock.looks > 10, "nobody looks at the clock"


def test_a_submission_that_was_never_too_slow_itself_gets_no_failure() -> None:
    report = graded(SOLUTION, Clock(jump_at=20))
    verdicts = [result.verdict for result in report.checkpoints]
    assert set(verdicts) == {Verdict.PASSED, Verdict.ERROR}
    assert verdicts == sorted(verdicts, key=[Verdict.PASSED, Verdict.ERROR].index), (
        "once out of time, always"
    )
    assert report.exit_code == 3
    assert "the 80 s for the whole submission are used up" in report.checkpoints[-1].message


def test_time_that_was_up_before_the_first_checkpoint_is_an_error_everywhere_and_no_import_that_does_not_end() -> (  # noqa: E501
    None
):
    report = graded(SOLUTION, Clock(jump_at=2))
    assert {(result.verdict, result.kind) for result in report.checkpoints} == {
        (Verdict.ERROR, None)
    }


class JumpsAfterTimeout(Clock):
    """Jumps when a request has run out of its own time."""

    def __init__(self) -> None:
        super().__init__()
        self.budget: Budget | None = None

    def __call__(self) -> float:
        super().__call__()
        return 1e6 if self.budget is not None and self.budget.overran else 0.0


@pytest.mark.slow
def test_a_submission_that_did_not_end_before_fails_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = JumpsAfterTimeout()
    allow = Budget.allow

    def noted(budget: Budget, stages: int) -> None:
        clock.budget = budget
        allow(budget, stages)

    monkeypatch.setattr(Budget, "allow", noted)
    report = graded(HANGS, clock)
    assert Verdict.ERROR not in {result.verdict for result in report.checkpoints}
    told = [
        result for result in report.checkpoints if result.message.startswith("not run: the 80 s")
    ]
    assert told
    assert {(result.verdict, result.kind) for result in told} == {(Verdict.FAILED, Kind.TIMEOUT)}
    assert all(result.diagnosis is None for result in report.checkpoints), (
        "a diagnosis takes time, too"
    )


@pytest.mark.parametrize("prepared", [False, True], ids=["alone", "after another"])
def test_a_submission_that_sleeps_its_time_away_fails_by_it(
    monkeypatch: pytest.MonkeyPatch, prepared: bool
) -> None:
    course, caches, budgets = load_course(), Caches(), list[Budget]()
    allow = Budget.allow

    def judged(source: str, clock: Callable[[], float]) -> Report:
        with ProcessHost(clock=clock) as host:
            return grade_submission(
                Job(course, submission(source), host, caches=caches), course.select(["phase2"])
            )

    def noted(budget: Budget, stages: int) -> None:
        budgets.append(budget)
        allow(budget, stages)

    if prepared:
        assert judged(SOLUTION, Clock()).exit_code == 0
    monkeypatch.setattr(budget_module, "SUBMISSION_SECONDS", 0.25)
    monkeypatch.setattr(budget_module, "STAGE_SECONDS", 0.0)
    monkeypatch.setattr(Budget, "allow", noted)
    report = judged(SLEEPS, lambda: budgets[-1].waited)  # the judge itself takes no time
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


def test_out_of_memory_is_not_out_of_time(begin: Begin) -> None:
    memory = Memory(Budget(Clock(jump_at=3)))
    memory.used_too_much(Fault(Kind.MEMORY), [])
    assert memory.timeouts == 1
    memory.budget.allow(1)
    memory.budget.go_on()
    with pytest.raises(OutOfTime) as found:
        memory.budget.go_on()
    assert not found.value.slow


@pytest.mark.parametrize(
    ("looked_at", "over"),
    [
        (SUBMISSION_SECONDS + 2 * STAGE_SECONDS, False),
        (SUBMISSION_SECONDS + 2 * STAGE_SECONDS + 0.1, True),
    ],
)
def test_each_stage_brings_time_even_when_it_is_graded_later(looked_at: float, over: bool) -> None:
    budget = Budget(Clock(jump_at=2, seconds=looked_at))
    budget.allow(1)
    budget.allow(1)
    if over:
        with pytest.raises(OutOfTime, match="the 100 s for the whole submission"):
            budget.go_on()
    else:
        budget.go_on()


def test_a_session_without_an_allowance_goes_on(begin: Begin) -> None:
    session = begin(SOLUTION, InProcess)
    session.memory.budget.clock = Clock(jump_at=1)
    assert session.run(
        [Make(Ref(0), "Value", [2.0]), Read(Ref(0), "data", "number")], fresh=True
    ) == [2.0]


def test_a_worker_that_dies_when_time_is_up_is_still_reported(begin: Begin) -> None:
    session = begin(
        "import os\n"
        "class Value:\n"
        "    def __init__(self, data):\n"
        "        self.data = data\n"
        "    def __add__(self, other):\n"
        "        os._exit(0)"
    )
    session.memory.budget.clock = Clock(jump_at=4)  # after the worker was asked
    session.memory.budget.allow(1)
    steps: list[Step] = [
        Make(Ref(0), "Value", [2.0]),
        Apply(Ref(1), "+", [Ref(0), 1.0]),
        Read(Ref(1), "data", "number"),
    ]
    with pytest.raises(WorkerLost) as lost:
        session.run(steps, fresh=True)
    assert lost.value.fault.kind is Kind.EXITED
    with pytest.raises(OutOfTime):
        session.run(steps, fresh=True)


def test_time_that_is_up_during_a_diagnosis_leaves_the_verdicts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_late(*_: object) -> None:
        raise OutOfTime(80, slow=False)

    monkeypatch.setattr(Doctor, "diagnose", too_late)
    report = graded(SOLUTION.replace("self.data + other.data", "self.data - other.data"), Clock())
    assert {result.verdict for result in report.checkpoints} >= {Verdict.PASSED, Verdict.FAILED}
    assert all(result.diagnosis is None for result in report.checkpoints)
