"""A session: every way in which the learner's code can fail ends as the right kind of fault, at the
right step, in time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from grader.boundary.process import ProcessTransport
from grader.intake.run_notes import RunNote
from grader.intake.submission import File
from grader.judge import session as session_module
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.script.steps import Apply, Call, Step, Walk
from grader.judge.written import may_define
from grader.model import Kind
from grader.worker.protocol import Ref, Wire
from support.fake import Scripted
from support.session import ENGINE, MADE, READ, A, B, C, D, E
from support.start import Begin


def engine(lines: str) -> str:
    return ENGINE.format(lines=lines)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less time for the search, where code is meant to run into the limit."""
    monkeypatch.setattr(session_module, "LOCATE_SECONDS", 0.4)


class Processes(list[ProcessTransport]):
    """Starts one process after the other, and remembers them."""

    def __call__(self, readable: Sequence[str]) -> ProcessTransport:
        self.append(ProcessTransport(readable=readable))
        return self[-1]


# --- deaths, in a process of their own ---


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("os._exit(0)", Kind.EXITED),
        ("os._exit(3)", Kind.EXITED),
        ("os.kill(os.getpid(), signal.SIGSEGV)", Kind.CRASHED),
        ("import ctypes; ctypes.string_at(0)", Kind.CRASHED),
        ("os.kill(os.getpid(), signal.SIGKILL)", Kind.MEMORY),
        ("os.abort()", Kind.CRASHED),
        ("write_everywhere()", Kind.CRASHED),
    ],
)
def test_a_death_is_found_at_its_step_and_the_next_script_gets_a_fresh_worker(
    begin: Begin, lines: str, kind: Kind
) -> None:
    session = begin(engine(lines))
    session.run([*MADE, READ], fresh=True)
    with pytest.raises(WorkerLost) as lost:
        session.run([READ, Apply(D, "*", [A, C]), Apply(E, "+", [A, B]), READ], fresh=False)
    assert (lost.value.fault.kind, lost.value.index) == (kind, 5)
    assert session.run([*MADE, READ], fresh=True) == [-1.0]


@pytest.mark.parametrize(
    ("lines", "kind"), [("raise ValueError('mine')", Kind.RAISED), ("sys.exit(5)", Kind.EXITED)]
)
def test_after_an_exception_the_script_goes_on_from_before_it(
    here: Begin, lines: str, kind: Kind
) -> None:
    session = here(engine(lines))
    with pytest.raises(LearnerFault) as met:
        session.run([*MADE, Apply(D, "*", [A, B]), READ], fresh=True)
    assert (met.value.fault.kind, met.value.index) == (kind, 3)
    assert session.run([READ], fresh=False) == [-1.0]
    with pytest.raises(LearnerFault) as met:
        session.run([Call(D, A, "backward", [])], fresh=False)
    assert met.value.index == 4


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_an_endless_loop_is_found_at_its_step_and_not_tried_again(begin: Begin) -> None:
    deaf = "signal.signal(signal.SIGUSR1, signal.SIG_IGN); signal.setitimer(signal.ITIMER_PROF, 0)"
    session = begin(engine(f"{deaf}; print('round'); time.sleep(60)"))
    before = time.monotonic()
    with pytest.raises(WorkerLost) as lost:
        session.run([*MADE, READ, Apply(D, "*", [A, B]), READ], fresh=True, seconds=0.7)
    assert (lost.value.fault.kind, lost.value.index) == (Kind.TIMEOUT, 4)
    assert session.output() == "round\n"
    assert time.monotonic() - before < 30
    with pytest.raises(LearnerFault) as again:
        session.run([*MADE, Apply(D, "*", [B, A])], fresh=True)
    assert (again.value.fault.stub, again.value.index) == ("Value.__mul__", 3)
    assert session.run([*MADE, READ], fresh=True) == [-1.0]


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_an_answer_that_comes_after_the_deadline_meets_no_other_question(begin: Begin) -> None:
    session = begin(engine("time.sleep(0.1); return Value(7.0)"))
    slow: list[Step] = [*MADE, *(Apply(Ref(10 + number), "*", [A, B]) for number in range(6))]
    session.run(slow, fresh=True)  # longer than the search has, shorter than a script
    with pytest.raises((LearnerFault, WorkerLost)) as lost:
        session.run([Call(D, A, "backward", []) for _ in range(20)], fresh=False, seconds=0.7)
    assert isinstance(lost.value, (LearnerFault, WorkerLost))
    assert lost.value.fault.kind is Kind.TIMEOUT
    assert session.run([*MADE, READ], fresh=True) == [-1.0]


# --- output ---


def test_output_belongs_to_the_script_that_printed_it(begin: Begin) -> None:
    session = begin("print('loading')\n" + engine("print('dying'); os._exit(1)"))
    session.load()
    assert session.output() == "loading\n"
    with pytest.raises(WorkerLost):
        session.run([*MADE, Apply(D, "*", [A, B])], fresh=True)
    assert session.output() == "dying\n"
    session.run([*MADE, READ], fresh=True)
    assert "dying" not in session.output()


# --- nonsense, and the budget, without any process ---

ASKED = [*MADE, READ, Walk(C, "_prev", "_backward", [])]


@pytest.mark.parametrize("reply", [None, ["done", [1.0]], ["fault", 5, []]], ids=str)
def test_a_reply_that_is_not_one_is_never_believed(begin: Begin, reply: Wire) -> None:
    """What is one is decided by `decode_reply`."""
    session = begin("", lambda _: Scripted([reply]))
    with pytest.raises(WorkerLost, match="wrote to the channel") as lost:
        session.run(ASKED, fresh=True)
    assert lost.value.fault.kind is Kind.CRASHED
    assert 0 <= lost.value.index < len(ASKED)


@pytest.mark.slow
def test_a_function_that_took_too_long_is_not_run_again(begin: Begin) -> None:
    """The worker says where it was; the next one gets that function replaced, and everything else
    still runs there.
    """
    made = Processes()
    session = begin(engine("while True: pass"), made)
    for _ in range(5):
        with pytest.raises(LearnerFault) as met:
            session.run([*MADE, Call(D, C, "backward", [])], fresh=True)
        assert (met.value.fault.kind, met.value.fault.stub, met.value.index) == (
            Kind.TIMEOUT,
            "Value.backward",
            3,
        )
        assert session.run([*MADE, READ], fresh=True)
    assert len(made) == 2


@pytest.mark.parametrize(
    ("line", "defines"),
    [
        ("class Value:", True),
        ("    class Value(Base): pass", True),
        ("from engine import Value", True),
        ("Value = make()", True),
        ("def Value(x):", True),
        ("x = Value(2.0)", False),
        ("# class Value", False),
        ("class Values:", False),
        ("subclass Value", False),
        ("Values = 1", False),
    ],
)
def test_a_line_may_define_a_name(line: str, defines: bool) -> None:
    cell = File("cell 1", "cell 1", f"x = 1\n{line}\n".encode(), "cell")
    assert may_define([cell], RunNote("cell 1", "raised", 1), "Value") is defines
    assert not may_define([cell], RunNote("cell 2", "raised", 1), "Value")


def test_no_line_keeps_the_judge_busy_that_asks_whether_it_defines_a_name() -> None:
    cell = File("cell 1", "cell 1", b"import " * 35_000, "cell")
    begun = time.process_time()
    assert not any(
        may_define([cell], RunNote("cell 1", "raised", 1), f"Value{number}")
        for number in range(100)
    )
    assert time.process_time() - begun < 5.0
