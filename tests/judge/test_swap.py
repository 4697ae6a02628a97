"""Phases swapped in: what is graded is the learner's, and stands on the reference."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.intake.read import read_submission
from grader.judge.grading import Grading
from grader.judge.job import Job
from grader.judge.plugin import run_suites, with_suites
from grader.model import Report, Verdict
from support import hand_in, kit_folder
from support.golden import unpacked
from support.grading import COURSE, by_id, grade, unpassed
from support.mistakes import splice
from support.story import edit

pytestmark = pytest.mark.slow

ENGINE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
STUBS = (kit_folder("exercises") / "engine.py").read_text(encoding="utf-8")
WRONG_ADD = """
class Value:
    def __add__(self, other):
        out = Value(self.data + other.data + 1, (self, other), "+")
        return out
"""


def test_phases_that_are_swapped_in_do_not_stand_in_the_way(tmp_path: Path) -> None:
    folder = hand_in(tmp_path, splice(ENGINE, WRONG_ADD))
    assert not grade(folder, ["phase4"]).phases[0].done
    swapped = grade(folder, ["phase4"], swap="1-3")
    assert swapped.phases[0].done
    assert swapped.swapped == ("phase1", "phase2", "phase3")
    assert "the reference replaced 1-3" in swapped.notes[-1]
    mine = grade(folder, ["phase2", "phase4"], swap="all-but 2")
    assert [phase.done for phase in mine.phases] == [False, False]
    assert by_id(mine)["phase2.forward"].verdict is Verdict.FAILED
    assert {"phase4", "ext1"} <= {*mine.swapped}
    alone = grade(folder, ["1-6"], isolate=True)
    # the gradients of phase 5 are about the operators, too
    assert [phase.id for phase in alone.phases if not phase.done] == ["phase2", "phase5"]
    blocking = {result.blocked_by.partition(".")[0] for result in alone.checkpoints}
    assert blocking <= {"", "phase2", "phase5"}


def test_a_grading_that_ends_early_leaves_nothing_to_the_next_one(tmp_path: Path) -> None:
    read = read_submission(hand_in(tmp_path, splice(ENGINE, WRONG_ADD)), COURSE.files)
    job, stages = Job(COURSE, read, ProcessHost()), COURSE.select(("1-2",))

    def work() -> Grading:
        run_suites(replace(job, needed=frozenset(["phase2.forward"])), stages[1:])
        return run_suites(job, stages[:1])

    assert {each.verdict for each in with_suites(COURSE, stages, work).outcomes.values()} == {
        Verdict.PASSED
    }


def test_no_checkpoint_is_blocked_by_one_that_counts(tmp_path: Path) -> None:
    source = (unpacked("engines") / "correct" / "local_derivatives.py").read_text(encoding="utf-8")
    wrong = source.replace("-1.0", "-2.0").replace("exponent - 1", "exponent + 1")
    assert wrong != source
    report = grade(hand_in(tmp_path, wrong), ["1-4"], isolate=True)
    passed = {r.id for r in report.checkpoints if r.verdict is Verdict.PASSED}
    assert {"phase2.backward", "phase3.power", "phase4.doubling"} <= passed
    assert not any(r.blocked_by in passed for r in report.checkpoints)
    assert not any("positional arguments" in r.message for r in report.checkpoints)


IDLE = re.compile(r"(?m)^( +)raise NotImplementedError\(.*\)")
HANGING = "class Value:\n" + "".join(
    f"    def {name}(self):\n        while True: pass\n" for name in ("backward", "zero_grad")
)
NOTHING = {
    "functions that hang": HANGING,
    "a class": "class Value:\n    pass\n",
    "one function": "class Value:\n    def zero_grad(self): x = 1\n",
    "the exercises": STUBS,
    "copies of the exercises": re.sub(r"\bself\b", "this", STUBS),
    **{
        does: IDLE.sub(rf"\1{does}", STUBS)
        for does in (
            "pass",
            "...",
            "x = 1",
            "return 0",
            "return Value(0)",
            "raise TypeError",
            "return NotImplemented",
        )
    },
    **{kind: f"class Value({kind}): pass\n" for kind in ("int", "float", "complex", "tuple")},
    "a built-in class": "Value = float\n",
    "a function": "def Value(*numbers): pass\n",
    "numbers": "class Value:\n    __add__ = __mul__ = __pow__ = __truediv__ = 5\n",
    "an alias": "class Value:\n    def zero_grad(self): x = 1\n    backward = zero_grad\n",
    "setattr": "class Value: pass\nfor n in 'exp', 'tanh': setattr(Value, n, lambda self: 0)\n",
    "a metaclass": "class M(type):\n    def exp(self): x = 1\nclass Value(metaclass=M): pass\n",
    "a made class": "Value = type('Value', (), {'zero_grad': lambda self: None, 'exp': abs})\n",
    "a dataclass": "import dataclasses as d\n@d.dataclass\nclass Value:\n    zero_grad: int = 0\n",
    "a nested function": (
        "class Value:\n    def zero_grad(self):\n        def backward(): pass\n        backward()\n"
    ),
    "every attribute": "class Value:\n    def __getattr__(self, name): return lambda *a: None\n",
    "the base": "class Base:\n    def zero_grad(self): x = 1\nclass Value(Base): pass\n",
}


@pytest.mark.parametrize("source", NOTHING.values(), ids=NOTHING)
def test_nothing_earns_nothing(tmp_path: Path, source: str) -> None:
    assert grade(hand_in(tmp_path, source), ["1-6"], isolate=True).score == 0
    assert grade(hand_in(tmp_path, source), ["phase5"], swap="1-4").score == 0


def test_every_check_asks_for_what_it_is_about() -> None:
    assert unpassed(grade(kit_folder("solutions"), ["all"], isolate=True)) == {}


@pytest.mark.parametrize("body", ["x = 1", "return self", "pass"])
def test_an_idle_function_earns_nothing_beside_right_ones(tmp_path: Path, body: str) -> None:
    def idle(*names: str) -> Report:
        functions = "".join(f"    def {name}(self): {body}\n" for name in names)
        source = splice(ENGINE, f"class Value:\n{functions}" if names else "")
        return grade(hand_in(tmp_path, source), ["1-6"], isolate=True)

    points = [phase.score for phase in idle().phases]
    without = idle("backward")
    assert [p.score for p in without.phases[:3] + without.phases[5:]] == points[:3] + points[5:]
    assert {r.id for phase in without.phases[3:5] for r in phase.checkpoints} - {
        *unpassed(without)
    } == {"phase4.order", "phase5.zero-grad", "phase5.zero-grad-once", "phase5.begin-anew"}
    assert [p.score for p in idle("tanh", "relu", "exp").phases] == [*points[:5], 0]


def test_a_reference_that_passes_alone_earns_nothing(tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(
        kit_folder("grader") / "course", course, ignore=shutil.ignore_patterns("faulty")
    )
    shutil.copytree(kit_folder("exercises"), course / "exercises")
    shutil.copytree(kit_folder("solutions"), course / "solutions")
    stage = course / "phase5" / "stage.toml"
    edit(stage, '["Value.__mul__", "Value.backward"]', '["Value.zero_grad"]')
    hand_in(tmp_path, splice(STUBS, "class Value:\n    def zero_grad(self): x = 1\n"))
    (result,) = grade(
        tmp_path / "engine.py", ["phase5.square"], isolate=True, course=load_course(course)
    ).checkpoints
    assert result.verdict is not Verdict.PASSED


def test_swapped_methods_make_values_of_the_learner_s_own_class(tmp_path: Path) -> None:
    source = STUBS.replace(
        "class Value:", "class Value:\n    def double(self):\n        return self + self\n"
    )
    source = source.replace(
        'raise NotImplementedError("phase 1: Value.__repr__")', "return (self + self.double())._op"
    )
    folder = hand_in(tmp_path, source)
    report = grade(folder, ["phase1.repr", "phase2", "phase3"], swap="2-6")
    # its own text, by way of a method of its own
    assert report.phases[0].checkpoints[0].verdict is not Verdict.PASSED
    assert all(phase.done for phase in grade(folder, ["phase2", "phase3"], swap="1-6").phases)


def test_the_reference_swapped_into_the_stubs_passes_everything() -> None:
    assert grade(kit_folder("exercises"), ["all"], swap="all").exit_code == 0


PRINTS_THE_REFERENCE = """
import sys
frame = sys._getframe()
while frame and "asked" not in frame.f_locals:
    frame = frame.f_back
print("SECRET", [patch.source for patch in frame.f_locals["asked"].swaps if patch.source])
"""


@pytest.mark.parametrize("shown", [False, True])
def test_what_is_printed_beside_the_reference_is_shown_on_request_only(
    tmp_path: Path, *, shown: bool
) -> None:
    folder = hand_in(tmp_path, splice(ENGINE, WRONG_ADD) + PRINTS_THE_REFERENCE)
    report = grade(folder, ["2-3"], isolate=True, shows_output=shown)
    assert any("def __init__" in result.output for result in report.checkpoints) is shown
