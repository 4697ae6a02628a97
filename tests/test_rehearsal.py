"""What was asked of right code is asked again without the suite; whatever a submission does then,
the verdict is the suite's.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from fake import submission

from grader.boundary.pool import ProcessHost
from grader.boundary.transport import Gone
from grader.curriculum.courses import Course, kit_folder, load_course
from grader.errors import InternalError
from grader.judge import plugin, rehearsal
from grader.judge.budget import OutOfTime
from grader.judge.grade import grade_submission
from grader.judge.job import Job
from grader.judge.rehearsal import Prompter, Rehearsals
from grader.model import Fault, Kind, Report, Verdict
from grader.worker.protocol import Ref, Wire, pack

PHASES = ("phase1", "phase2", "phase3")
REFERENCE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course()


@pytest.fixture(scope="module")
def rehearsals(course: Course) -> Rehearsals:
    """What the reference leaves behind."""
    known = Rehearsals()
    judge(course, REFERENCE, known)
    return known


@pytest.fixture
def no_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite that is run is an error."""
    monkeypatch.setattr(
        plugin,
        "_run_pytest",
        lambda _grading, left: pytest.fail(f"{[suite.stage.id for suite in left]} ran"),
    )


def judge(course: Course, source: str, rehearsals: Rehearsals) -> Report:
    """The report, the times aside."""
    stages = course.select(PHASES)
    with ProcessHost(str(stages[0].suite)) as host:
        report = grade_submission(
            Job(course, submission(source), host, rehearsals=rehearsals), stages
        )
    phases = (
        replace(
            phase, checkpoints=tuple(replace(check, duration_s=0.0) for check in phase.checkpoints)
        )
        for phase in report.phases
    )
    return replace(report, phases=tuple(phases))


@pytest.mark.usefixtures("no_suites")
def test_right_code_needs_no_suite(course: Course, rehearsals: Rehearsals) -> None:
    report = judge(course, REFERENCE + "\n# of somebody else\n", rehearsals)
    assert {check.verdict for check in report.checkpoints} == {Verdict.PASSED}
    assert (report.work.made, report.work.read) == (
        judge(course, REFERENCE, rehearsals).work.made,
        report.work.read,
    )
    assert report.work.made > 1000
    assert report.work.read["grad"] > 100


@pytest.mark.usefixtures("no_suites")
def test_numbers_may_differ_by_rounding(course: Course, rehearsals: Rehearsals) -> None:
    single = """
import struct
multiply = Value.__mul__
def rounded(a, b):
    c = multiply(a, b)
    c.data = struct.unpack("f", struct.pack("f", c.data))[0]
    return c
Value.__mul__ = Value.__rmul__ = rounded
"""
    report = judge(course, REFERENCE + single, rehearsals)
    assert {check.verdict for check in report.checkpoints} == {Verdict.PASSED}


ENGINES = {
    "the same": "",
    "a quotient by another formula": (
        "def divided(a, b):\n    return a * (b if isinstance(b, Value) else Value(b)) **"
        " -1\nValue.__truediv__ = divided\n"
    ),
    "children in a list": (
        "init = Value.__init__\ndef begin(self, *args):\n    init(self, *args)\n    self._prev ="
        " list(self._prev)\nValue.__init__ = begin\n"
    ),
    "a sum that is off by a millionth and more": (
        "add = Value.__add__\ndef off(a, b):\n    c = add(a, b)\n    c.data += 3e-5\n    return"
        " c\nValue.__add__ = off\n"
    ),
    "no number": (
        "add = Value.__add__\ndef odd(a, b):\n    c = add(a, b)\n    c.data = str(c.data)\n   "
        " return c\nValue.__add__ = odd\n"
    ),
    "True for 1": (
        "init = Value.__init__\ndef begin(self, data, *more):\n    init(self, data, *more)\n   "
        " self.grad = False\nValue.__init__ = begin\n"
    ),
    "wrong the hundredth time": (
        "calls = []\nmul = Value.__mul__\ndef late(a, b):\n    calls.append(1)\n    c = mul(a, b)\n"
        "    c.data += len(calls) == 100\n    return c\nValue.__mul__ = late\n"
    ),
    "dead the hundredth time": (
        "import os\ncalls = []\nmul = Value.__mul__\ndef late(a, b):\n    calls.append(1)\n   "
        " len(calls) == 100 and os._exit(0)\n    return mul(a, b)\nValue.__mul__ = late\n"
    ),
    "endless from some time on": (
        "calls = []\nmul = Value.__mul__\ndef late(a, b):\n    calls.append(1)\n    while"
        " len(calls) > 100:\n        pass\n    return mul(a, b)\nValue.__mul__ = late\n"
    ),
    "talkative": (
        "print('hello from', 0x7fffdeadbeef)\nadd = Value.__add__\ndef loud(a, b):\n   "
        " print('add')\n    return add(a, b)\nValue.__add__ = loud\n"
    ),
    "a power of two nodes": (
        "power = Value.__pow__\ndef any_power(a, b):\n    return power(a, b.data if isinstance(b,"
        " Value) else b)\nValue.__pow__ = any_power\n"
    ),
    "half of it": "del Value.__mul__, Value.__rmul__\n",
    "no code at all": "raise SystemExit\n",
}


@pytest.mark.parametrize("lines", ENGINES.values(), ids=ENGINES)
def test_the_report_is_the_one_that_the_suites_alone_give(
    course: Course, rehearsals: Rehearsals, lines: str
) -> None:
    source = f"{REFERENCE}\n{lines}"
    alone = judge(course, source, Rehearsals())
    assert judge(course, source, rehearsals) == alone
    assert judge(course, source, rehearsals) == alone, "now that this one is known as well"


# --- one conversation ---


class CellNote:
    """A transport with its replies, which notes what it is asked."""

    isolation = None

    def __init__(self, *replies: Wire) -> None:
        self.replies = list(replies)
        self.asked: list[Wire] = []

    def exchange(self, request: Wire, _seconds: float, _limit: int) -> Wire:
        self.asked.append(request)
        return self.replies.pop(0)

    def output(self) -> str:
        return ""

    def close(self) -> None:
        return


FIRST: Wire = ["run", 1.0, True, [["read", Ref(1), "data", "number"]]]
SECOND: Wire = ["run", 1.0, False, [["read", Ref(2), "_prev", "refs"]]]


def prompter(*replies: Wire) -> Prompter:
    return Prompter(CellNote(*replies))  # type: ignore[arg-type] # all that is asked of one


@pytest.fixture
def known() -> Rehearsals:
    """What is left behind by a check that expects 2.0, and then asks for references."""
    known, first = Rehearsals(), prompter(["ok", [2.0]], ["ok", [[Ref(1)]]])
    first.begin()
    first.exchange(FIRST, 3.0, 100)
    first.accept([(-1, 2.0)])
    first.exchange(SECOND, 3.0, 100)
    known.keep("check", first.end())
    return known


def ask(known: Rehearsals, *replies: Wire) -> tuple[bool, list[Wire]]:
    """Whether a check is passed with these replies, and what was asked."""
    asking = prompter(*replies)
    asking.begin()
    first = known.get("check")
    assert first is not None
    return asking.ask(first) is not None, asking._inner.asked  # type: ignore[attr-defined] # it is a CellNote


@pytest.mark.parametrize("number", [2.0, 2, 2.000001])
def test_a_number_may_be_another_within_the_tolerance(known: Rehearsals, number: float) -> None:
    assert ask(known, ["ok", [number]], ["ok", [[Ref(1)]]]) == (True, [pack(FIRST), pack(SECOND)])


WRONG: list[Wire] = [
    ["ok", [2.1]],
    ["ok", [True]],
    ["ok", ["2.0"]],
    ["ok", [float("nan")]],
    ["ok", []],
    ["ok", [2.0, 2.0]],
    ["ok", [["str"]]],
    ["ok", 2.0],
    "ok",
    ["fault", 0, ["raised", "TypeError", ["TypeError"], "", [], ""]],
    None,
]


@pytest.mark.parametrize("reply", WRONG, ids=str)
def test_what_may_be_wrong_ends_the_questions(known: Rehearsals, reply: Wire) -> None:
    assert ask(known, reply) == (False, [pack(FIRST)])


@pytest.mark.parametrize("refs", [[Ref(2)], [Ref(1), Ref(1)], [1], None, [True]])
def test_what_nobody_compares_within_a_tolerance_has_to_be_the_same(
    known: Rehearsals, refs: Wire
) -> None:
    assert ask(known, ["ok", [2.0]], ["ok", [refs]])[0] is False


def test_an_exception_is_known_by_its_types() -> None:
    def refusal(message: str, *types: str, stub: str = "") -> Wire:
        return [
            "fault",
            0,
            ["raised", types[0], [*types], message, [["engine.py", len(message), "f", ""]], stub],
        ]

    known, first = Rehearsals(), prompter(refusal("no", "TypeError", "Exception"))
    first.begin()
    first.exchange(FIRST, 3.0, 100)
    first.accept_exception()
    known.keep("check", first.end())
    assert ask(known, refusal("not that", "TypeError", "Exception"))[0]
    assert not ask(known, refusal("no", "ValueError", "Exception"))[0]
    assert not ask(known, refusal("no", "TypeError", "Exception", stub="Value.__add__"))[0]
    assert not ask(known, ["ok", [2.0]])[0]
    assert not ask(
        known, ["fault", 0, ["timeout", "TypeError", ["TypeError", "Exception"], "", [], ""]]
    )[0]


def test_there_may_be_more_than_one_way_through(known: Rehearsals) -> None:
    second = prompter(["ok", [2.0]], ["ok", [[Ref(7)]]])
    second.begin()
    second.exchange(FIRST, 3.0, 100)
    second.accept([(-1, 2.0)])
    second.exchange(SECOND, 3.0, 100)
    known.keep("check", second.end())
    for ref, passes in ((Ref(1), True), (Ref(7), True), (Ref(8), False)):
        assert ask(known, ["ok", [2.0]], ["ok", [[ref]]])[0] is passes


def test_the_time_is_looked_at_before_every_question(known: Rehearsals) -> None:
    looks: list[int] = []

    def go_on() -> None:
        looks.append(1)
        if len(looks) == 2:
            raise OutOfTime(80, slow=True)

    asking = prompter(["ok", [2.0]], ["ok", [[Ref(1)]]])
    asking.begin()
    first = known.get("check")
    assert first is not None
    with pytest.raises(OutOfTime):
        asking.ask(first, go_on)
    assert asking._inner.asked == [pack(FIRST)]  # type: ignore[attr-defined] # it is a CellNote


def test_the_suite_hears_what_was_answered_ahead_and_asks_the_rest(known: Rehearsals) -> None:
    asking = prompter(["ok", [5.0]], ["ok", [[]]])
    asking.begin()
    assert (first := known.get("check")) is not None
    assert asking.ask(first) is None
    slower: Wire = ["run", 0.5, *FIRST[2:]]  # type: ignore[index] # it is a list
    assert asking.exchange(slower, 3.0, 100) == ["ok", [5.0]]
    assert asking.exchange(SECOND, 3.0, 100) == ["ok", [[]]]
    assert asking._inner.asked == [pack(FIRST), pack(SECOND)]  # type: ignore[attr-defined] # each once


def test_a_death_ahead_is_met_where_the_suite_asks(known: Rehearsals) -> None:
    class Dead(CellNote):
        def exchange(self, request: Wire, _seconds: float, _limit: int) -> Wire:
            raise Gone(Fault(Kind.CRASHED, message=f"{len(self.asked)}{request!r:.0}"))

    asking = Prompter(Dead())  # type: ignore[arg-type]
    asking.begin()
    assert (first := known.get("check")) is not None
    assert asking.ask(first) is None
    with pytest.raises(Gone):
        asking.exchange(FIRST, 3.0, 100)


def test_a_suite_that_asks_something_else_the_second_time_is_told_so(known: Rehearsals) -> None:
    asking = prompter(["ok", [5.0]])
    asking.begin()
    assert (first := known.get("check")) is not None
    assert asking.ask(first) is None
    with pytest.raises(InternalError, match="something else"):
        asking.exchange(SECOND, 3.0, 100)


def test_what_is_remembered_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "MAX_BYTES", 100)
    known = Rehearsals()
    for number in range(10):
        first = prompter(["ok", [1.0]])
        first.begin()
        first.exchange(FIRST, 3.0, 100)
        known.keep(number, first.end())
    assert [number for number in range(10) if known.get(number) is not None] == [0, 1]
