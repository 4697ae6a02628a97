"""What was prepared for earlier submissions changes nothing but the time that a grading takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.curriculum.model import Course
from grader.errors import InternalError
from grader.judge import oracle
from grader.judge.collected import Collected
from grader.judge.expectations import Expected, Mismatch
from grader.judge.grade import grade_submission
from grader.judge.job import Caches, Job
from grader.judge.learner import Learner
from grader.judge.oracle import programs
from grader.judge.prepared import MAX_ENTRIES, Prepared
from grader.judge.recorder import Recorder
from grader.judge.session import LearnerFault, Session
from grader.judge.symbols import Symbol
from grader.model import Fault, Kind, Report, Verdict
from support import kit_folder
from support.fake import InProcess, submission

PHASES = ("phase1", "phase2", "phase3")
REFERENCE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
COLLECTED = Collected()  # test_collected.py is about these


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course()


@pytest.fixture(scope="module")
def caches(course: Course) -> Caches:
    """What the reference leaves behind."""
    left = Caches(collected=COLLECTED)
    judge(course, REFERENCE, left)
    return left


def judge(course: Course, source: str, caches: Caches) -> Report:
    """The report, the times aside."""
    stages = course.select(PHASES)
    with ProcessHost(str(stages[0].suite)) as host:
        report = grade_submission(Job(course, submission(source), host, caches=caches), stages)
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
    alone = judge(course, source, Caches(collected=COLLECTED))
    assert judge(course, source, caches) == alone
    assert judge(course, source, caches) == alone, "now that this one came before"


def test_a_second_submission_needs_no_new_examples_and_no_oracle(
    course: Course, caches: Caches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "focus", lambda *_, **__: pytest.fail("drawn again"))
    monkeypatch.setattr(oracle, "gradients", lambda *_, **__: pytest.fail("computed again"))
    report = judge(course, f"{REFERENCE}\n# of somebody else\n", caches)
    assert {check.verdict for check in report.checkpoints} == {Verdict.PASSED}
    assert report.work.made > 1000


# --- one script ---


@pytest.fixture
def begin(request: pytest.FixtureRequest) -> Callable[..., Recorder]:
    """Makes a recorder for some code, with what has been prepared."""

    def begin(source: str, prepared: Prepared, *, mirror: bool = False, seed: int = 1) -> Recorder:
        session = Session(InProcess, submission(source), "engine", ["Value"])
        request.addfinalizer(session.close)
        return Recorder(session, "engine", seed=seed, mirror=mirror, prepared=prepared)

    return begin


Begin = Callable[..., Recorder]
PLAIN = "class Value:\n    def __init__(self, data): self.data = data\n"


def expect(recorder: Recorder, want: float = 2.0) -> list[str]:
    """Expect a number of a script that is prepared; whether it was written."""
    written = []

    def write() -> list[Expected]:
        written.append("written")
        a = Learner(recorder).make(Symbol, "engine.Value", 2.0, name="a")
        return [Expected(a.reading("data"), want)]

    recorder.expect_prepared("a number", write)
    return written


def test_an_equal_key_is_written_once_and_sent_every_time(begin: Begin) -> None:
    prepared = Prepared()
    assert expect(begin(PLAIN, prepared)) == ["written"]
    assert expect(begin(PLAIN, prepared)) == []
    wrong = begin(PLAIN.replace("= data", "= -data"), prepared)
    with pytest.raises(Mismatch) as met:
        expect(wrong)
    assert met.value.reading is not None
    assert (met.value.got, met.value.expected) == (-2.0, 2.0)
    assert "a = Value(2.0)" in wrong.reproduce(met.value.reading, met.value)


@pytest.mark.parametrize("other", [{"mirror": True}, {"seed": 2}], ids=str)
def test_a_different_seed_or_mirror_gives_a_different_script(
    begin: Begin, other: dict[str, int]
) -> None:
    prepared = Prepared()
    expect(begin(PLAIN, prepared))
    assert expect(begin(PLAIN, prepared, **other)) == ["written"]


def test_after_a_different_script_comes_a_different_script(begin: Begin) -> None:
    prepared = Prepared()
    recorder = begin(PLAIN, prepared)
    assert expect(recorder) == expect(recorder) == ["written"]
    recorder.restart()
    assert expect(recorder) == expect(recorder) == []


def test_a_prepared_script_must_not_be_sent_half_written(begin: Begin) -> None:
    recorder = begin(PLAIN, Prepared())

    def write() -> list[Expected]:
        a = Learner(recorder).make(Symbol, "engine.Value", 2.0)
        recorder.run([a.reading("data")])
        return []

    with pytest.raises(InternalError):
        recorder.expect_prepared("a number", write)


# --- several at once ---

PRINTS = "class Value:\n    def __init__(self, data): self.data = data; print(data)\n"


def expect_each(recorder: Recorder, *wanted: float) -> None:
    """Expect Values of these numbers in one message. None may be 3."""
    values = [Learner(recorder).make(Symbol, "engine.Value", number) for number in wanted]
    recorder.expect_all(
        [
            (value.reading("data"), -1.0 if want == 3.0 else want)
            for value, want in zip(values, wanted)
        ]
    )


def apart(recorder: Recorder, *wanted: float) -> None:
    for number in wanted:
        expect_each(recorder, number)
        recorder.restart()


def test_a_graph_that_fails_among_others_fails_alone_and_prints_nothing_twice(begin: Begin) -> None:
    recorder = begin(PRINTS, Prepared())
    expect_each(recorder, 0.5)
    recorder.restart()
    with pytest.raises(Mismatch) as met:
        recorder.at_once(
            lambda: expect_each(recorder, 1.0, 3.0, 2.0), lambda: apart(recorder, 1.0, 3.0, 2.0)
        )
    assert met.value.got == 3.0
    assert [step.target for step in recorder.steps if step.made] == [1], "the failing one alone"
    assert recorder.session.output() == "0.5\n1.0\n3.0\n"


def test_a_graph_that_fails_only_among_others_does_not_fail(begin: Begin) -> None:
    recorder = begin(PLAIN, Prepared())
    recorder.at_once(lambda: expect_each(recorder, 1.0, 3.0), lambda: apart(recorder, 1.0))
    assert not recorder.steps


def test_a_graph_that_hangs_among_others_is_not_tried_again(begin: Begin) -> None:
    recorder = begin("class Value:\n    def __init__(self, data): 1 / 0\n", Prepared())
    again: list[str] = []

    def hang() -> None:
        raise LearnerFault(Fault(Kind.TIMEOUT), 0)

    with pytest.raises(LearnerFault):
        recorder.at_once(hang, lambda: again.append("again"))
    assert not again


def test_the_cache_is_bounded_and_keeps_recently_used_entries() -> None:
    prepared = Prepared()
    prepared.get("used", lambda: 1)
    for number in range(2 * MAX_ENTRIES):
        prepared.get(number, lambda: 0)
        assert prepared.get("used", lambda: 2) == 1
    assert prepared.get(0, lambda: 3) == 3, "what was not used has gone"
