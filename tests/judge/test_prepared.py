"""What was prepared for earlier submissions changes nothing but the time that a grading takes."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.curriculum.model import Course
from grader.judge import oracle
from grader.judge.grade import grade_submission
from grader.judge.job import DEFAULT_SEED, Caches, Job
from grader.judge.oracle import programs
from grader.model import Report, Verdict
from support import kit_folder
from support.fake import submission

PHASES = ("phase1", "phase2", "phase3")
REFERENCE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course()


@pytest.fixture(scope="module")
def caches(course: Course) -> Caches:
    """What the reference leaves behind."""
    left = Caches()
    judge(course, REFERENCE, left)
    return left


def judge(course: Course, source: str, caches: Caches, seed: int = DEFAULT_SEED) -> Report:
    """The report, the times aside."""
    stages = course.select(PHASES)
    with ProcessHost(str(stages[0].suite)) as host:
        job = Job(course, submission(source), host, seed=seed, caches=caches)
        report = grade_submission(job, stages)
    phases = (
        replace(
            phase, checkpoints=tuple(replace(check, duration_s=0.0) for check in phase.checkpoints)
        )
        for phase in report.phases
    )
    return replace(report, phases=tuple(phases))


ENGINES = {
    "the same": "",
    "a quotient by another formula": (
        "def divided(a, b):\n"
        "    return a * (b if isinstance(b, Value) else Value(b)) ** -1\n"
        "Value.__truediv__ = divided\n"
    ),
    "children in a list": (
        "init = Value.__init__\n"
        "def begin(self, *args):\n"
        "    init(self, *args)\n"
        "    self._prev = list(self._prev)\n"
        "Value.__init__ = begin\n"
    ),
    "a sum that is off by a millionth and more": (
        "add = Value.__add__\n"
        "def off(a, b):\n"
        "    c = add(a, b)\n"
        "    c.data += 3e-5\n"
        "    return c\n"
        "Value.__add__ = off\n"
    ),
    "no number": (
        "add = Value.__add__\n"
        "def odd(a, b):\n"
        "    c = add(a, b)\n"
        "    c.data = str(c.data)\n"
        "    return c\n"
        "Value.__add__ = odd\n"
    ),
    "True for 1": (
        "init = Value.__init__\n"
        "def begin(self, data, *more):\n"
        "    init(self, data, *more)\n"
        "    self.grad = False\n"
        "Value.__init__ = begin\n"
    ),
    "wrong the hundredth time": (
        "calls = []\n"
        "mul = Value.__mul__\n"
        "def late(a, b):\n"
        "    calls.append(1)\n"
        "    c = mul(a, b)\n"
        "    c.data += len(calls) == 100\n"
        "    return c\n"
        "Value.__mul__ = late\n"
    ),
    "dead the hundredth time": (
        "import os\n"
        "calls = []\n"
        "mul = Value.__mul__\n"
        "def late(a, b):\n"
        "    calls.append(1)\n"
        "    len(calls) == 100 and os._exit(0)\n"
        "    return mul(a, b)\n"
        "Value.__mul__ = late\n"
    ),
    "endless from some time on": (
        "calls = []\n"
        "mul = Value.__mul__\n"
        "def late(a, b):\n"
        "    calls.append(1)\n"
        "    while len(calls) > 100:\n"
        "        pass\n"
        "    return mul(a, b)\n"
        "Value.__mul__ = late\n"
    ),
    "talkative": (
        "print('hello from', 0x7fffdeadbeef)\n"
        "add = Value.__add__\n"
        "def loud(a, b):\n"
        "    print('add')\n"
        "    return add(a, b)\n"
        "Value.__add__ = loud\n"
    ),
    "a power of two nodes": (
        "power = Value.__pow__\n"
        "def any_power(a, b):\n"
        "    return power(a, b.data if isinstance(b, Value) else b)\n"
        "Value.__pow__ = any_power\n"
    ),
    "half of it": "del Value.__mul__, Value.__rmul__\n",
    "no code at all": "raise SystemExit\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("lines", ENGINES.values(), ids=ENGINES)
def test_a_submission_gets_the_same_report_as_alone(
    course: Course, caches: Caches, lines: str
) -> None:
    source = f"{REFERENCE}\n{lines}"
    alone = judge(course, source, Caches())
    assert judge(course, source, caches) == alone
    assert judge(course, source, caches) == alone, "now that this one came before"


@pytest.mark.parametrize(
    ("seed", "again"), [(DEFAULT_SEED, False), (DEFAULT_SEED + 1, True)], ids=["same", "other"]
)
def test_a_second_submission_needs_new_examples_only_with_another_seed(
    course: Course, caches: Caches, monkeypatch: pytest.MonkeyPatch, seed: int, *, again: bool
) -> None:
    drawn, computed = Mock(wraps=programs.focus), Mock(wraps=oracle.gradients)
    monkeypatch.setattr(programs, "focus", drawn)
    monkeypatch.setattr(oracle, "gradients", computed)
    report = judge(course, f"{REFERENCE}\n# of somebody else\n", caches, seed)
    assert {check.verdict for check in report.checkpoints} == {Verdict.PASSED}
    assert drawn.called is computed.called is again
    assert report.work.made > 1000
