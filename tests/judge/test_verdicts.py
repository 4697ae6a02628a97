"""What a report claims beside its verdicts: lines to try that are true, a blocked checkpoint's
reason, state that is kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader.authoring.listings import false_lines
from grader.intake.submission import File
from grader.judge.verdicts import outcome_of_load
from grader.model import CheckResult, Fault, Frame, Kind, Verdict
from support import changed, hand_in, there
from support.grading import COURSE, by_id, check, grade
from support.mistakes import graded

pytestmark = pytest.mark.slow

ENGINE = File(
    "engine",
    "engine.py",
    b"class Value:\n    def __init__(self, data):\n        self.data = data\n",
)

STATE = """
class Value:
    def build_topo(self, topo=[], visited=set()):
        if self not in visited:
            visited.add(self)
            for child in self._prev:
                child.build_topo(topo, visited)
            topo.append(self)
        return topo
"""
APPENDS_OUTSIDE = """
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def build_topo(self):
        topo, visited = [], set()

        def build(node):
            if node not in visited:
                visited.add(node)
                for child in node._prev:
                    build(child)
            topo.append(node)

        build(self)
        return topo
"""
ORDER_ONLY = """
class Value:
    def build_topo(self):
        return [self]

    def backward(self):
        raise NotImplementedError("phase 4: Value.backward")
"""
TRAIN = """
def train(model, xs, ys, steps, rate=0.05, loss=squared_loss, batch_size=None):
    losses = []
    for step in {steps}:
        losses.append(train_step(model, xs, ys, rate(step) if callable(rate) else rate, loss))
    return losses{end}
"""


@pytest.mark.parametrize(
    ("listing", "is_true"),
    [
        ("from engine import Value\nprint(Value(2.0).data)  # gives 2.0, should give 3.0", True),
        ("from engine import Value\nprint(Value(2.0).data)  # gives 5.0, should give 3.0", False),
        ("from engine import Value\nprint(Value(2.0).data)  # gives 2.0, should give 2.0", False),
        (
            (
                "from engine import Value\n"
                "print(Value(2.0).data)  # gives 2.0, as it should; after other scripts it gave 3.0"
            ),
            True,
        ),
        (
            "from engine import Value\nprint(Value(0.1 + 0.2).data)  # gives 0.3, should give 1.0",
            True,
        ),
        (
            (
                "from engine import Value\n"
                "Value()  # raises TypeError: Value.__init__() missing 1 required positional "
                "argument"
            ),
            True,
        ),
        (
            (
                "from engine import Value\n"
                "Value(1.0)  # raises TypeError: Value.__init__() missing 1 required positional "
                "argument"
            ),
            False,
        ),
        (
            "from engine import Value\nprint(Value(1.0).grad)  # should be a number, is NoneType",
            False,
        ),
    ],
)
def test_a_line_to_try_that_is_false_is_found(listing: str, *, is_true: bool) -> None:
    result = CheckResult("phase1.data", "", Verdict.FAILED, 1, reproduce=listing)
    assert (not [*false_lines([result], [ENGINE])]) is is_true


def test_a_listing_says_what_it_gives_in_a_fresh_python_where_state_is_kept_between_calls() -> None:
    failed = by_id(graded(STATE, "engine", "phase4"))["phase4.random-graphs"]
    assert "as it should; after other scripts it gave" in failed.reproduce
    told = "the first call is right; something is kept between calls"
    assert told in there(failed.diagnosis).why


def test_a_script_with_a_long_loop_gives_the_same_number_again() -> None:
    results = by_id(graded(APPENDS_OUTSIDE, "engine", "phase4"))
    assert results["phase4.wide"].verdict is Verdict.FAILED
    assert "# gives " in results["phase4.wide"].reproduce
    told = [result.diagnosis.why for result in results.values() if result.diagnosis]
    assert told
    assert not [why for why in told if "other numbers" in why]


def test_a_stub_is_not_said_to_be_right() -> None:
    order = by_id(graded(ORDER_ONLY, "engine", "phase4"))["phase4.order"]
    assert order.verdict is Verdict.FAILED
    assert order.diagnosis is None or "is right" not in order.diagnosis.why


@pytest.mark.parametrize(("steps", "end"), [("range(steps)", "[-1]"), ("iter(int, 1)", "")])
def test_a_function_that_is_known_to_work_is_not_blamed_for_a_hang(steps: str, end: str) -> None:
    report = graded(TRAIN.format(steps=steps, end=end), "train", "phase8")
    blocked = [result.message for result in report.checkpoints if result.verdict is Verdict.BLOCKED]
    assert blocked
    assert all(message.startswith("this one uses `train`, ") for message in blocked)


def test_a_file_that_cannot_be_imported_says_which_line_of_which_file() -> None:
    stage = next(stage for stage in COURSE.stages if stage.file == "train.py")
    lines = (Frame("train.py", 51, "<module>"), Frame("nn.py", 9, "f"), Frame("engine.py", 83, "g"))
    fault = Fault(Kind.RAISED, "ValueError", message="no", frames=lines)
    found = outcome_of_load(stage, fault, "", notebook=False)
    assert found.message.startswith(
        "importing train.py raises ValueError: no in engine.py, line 83"
    )
    assert found.frames == lines


@pytest.mark.parametrize(
    ("line", "message", "newer"),
    [
        ("type Number = int", "invalid syntax", "3.12"),
        ("def f[T](x: T):", "expected '('", "3.12"),
        ("f'{a['b']}'", "f-string: unmatched '['", "3.12"),
        ("def f(:", "invalid syntax", ""),
        ("f'{a'", "f-string: expecting '}'", ""),
    ],
)
def test_syntax_of_a_newer_python_is_named(
    monkeypatch: pytest.MonkeyPatch, line: str, message: str, newer: str
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 11))
    fault = Fault(Kind.SYNTAX, message=message, frames=(Frame("engine.py", 7, "", line),))
    told = outcome_of_load(COURSE.stages[0], fault, "", notebook=False).message
    newer = newer and "; it is valid in Python 3.12, and you grade with 3.11"
    assert told == f"engine.py is not valid Python in line 7: {message}{newer}"


@pytest.mark.parametrize(
    ("source", "verdict", "message"),
    [
        ("1 / 0\nSOLVED", "failed", "engine.py, line 1 raises ZeroDivisionError"),
        ("SOLVED\n1 / 0", "passed", ""),
        ("Value()\n", "not_started", "engine.py has no class `Value` yet"),  # nowhere defined
    ],
)
def test_a_name_below_a_line_that_raises_is_not_reached(
    tmp_path: Path, source: str, verdict: str, message: str
) -> None:
    folder = hand_in(tmp_path, source.replace("SOLVED", changed()))
    for result in grade(folder, ["phase1"]).checkpoints:
        assert result.verdict is Verdict(verdict)
        assert result.message.startswith(message)


DEAF = "signal.setitimer(signal.ITIMER_REAL, 0); signal.setitimer(signal.ITIMER_PROF, 0)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sys.exit(3)", "ended: 3"),
        ("os._exit(3)", "ended: the code exited the whole interpreter (exit code 3)"),
        (f"{DEAF}; time.sleep(60)", "this does not end: no answer within "),
    ],
)
def test_code_that_ends_the_program_or_hears_no_deadline_is_told_so(
    tmp_path: Path, line: str, message: str
) -> None:
    begins = "    def __add__(self, other):\n"
    does = f"{begins}        import os, signal, sys, time\n        {line}\n"
    found = check(hand_in(tmp_path, changed((begins, does))), "phase2.forward")
    assert found.message.startswith(message)


HANGS = """
class Value:
    def backward(self):
        while True:
            pass
"""


def test_a_failure_of_an_earlier_phase_is_not_blamed_on_unstarted_code() -> None:
    stubs = ["Value.tanh", "Value.relu", "Value.exp"]
    results = by_id(graded(HANGS, "engine", "phase6", deletes=stubs))
    assert results["phase6.inside"].verdict is Verdict.NOT_STARTED  # though it needs backward
    assert results["phase6.random-graphs"].blocked_by == "phase4.seed"


def test_a_missing_function_is_missed_in_the_file_that_it_belongs_to() -> None:
    failed = by_id(graded("", "nn", "phase7", deletes=["Neuron.parameters"]))
    told = "nn.py does not define `Neuron.parameters`: AttributeError"
    assert failed["phase7.neuron-parameters"].message.startswith(told)
