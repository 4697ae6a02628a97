"""Phases swapped in: what is graded is the learner's, and stands on the reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.curriculum.load import load_course
from grader.curriculum.source import splice
from grader.errors import UsageError
from grader.judge.grade import select_swapped
from grader.judge.swap import extract
from grader.model import Verdict
from support import GOLDEN, kit_folder
from support.grading import grade

pytestmark = pytest.mark.slow

COURSE = load_course()
ENGINE = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
STUBS = (kit_folder("exercises") / "engine.py").read_text(encoding="utf-8")
WRONG_ADD = """
class Value:
    def __add__(self, other):
        out = Value(self.data + other.data + 1, (self, other), "+")
        return out
"""
OWN_TANH = """
class Value:
    def tanh(self):
        out = Value(tanh(self.data), (self,), "tanh")
        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = _backward
        return out
"""


@pytest.fixture
def engine(tmp_path: Path) -> Callable[[str], Path]:
    """Writes an engine into a folder of its own."""

    def written(source: str) -> Path:
        (tmp_path / "engine.py").write_text(source, encoding="utf-8")
        return tmp_path

    return written


def test_phases_that_are_swapped_in_do_not_stand_in_the_way(engine: Callable[[str], Path]) -> None:
    folder = engine(splice(ENGINE, WRONG_ADD))
    assert not grade(folder, ["phase4"]).phases[0].done
    swapped = grade(folder, ["phase4"], swap="1-3")
    assert swapped.phases[0].done
    assert swapped.swapped == ("phase1", "phase2", "phase3")
    assert "the reference replaced 1-3" in swapped.notes[-1]


def test_functions_that_are_not_swapped_are_the_learner_s(engine: Callable[[str], Path]) -> None:
    report = grade(engine(splice(ENGINE, WRONG_ADD)), ["phase2", "phase4"], swap="all-but 2")
    assert [phase.done for phase in report.phases] == [False, False]
    failed = {result.id for result in report.checkpoints if result.verdict is Verdict.FAILED}
    assert "phase2.forward" in failed


def test_a_phase_alone_is_blocked_by_no_other(engine: Callable[[str], Path]) -> None:
    report = grade(engine(splice(ENGINE, WRONG_ADD)), ["1-6"], isolate=True)
    assert [phase.id for phase in report.phases if not phase.done] == ["phase2"]
    assert {r.blocked_by.partition(".")[0] for r in report.checkpoints if r.blocked_by} <= {
        "phase2"
    }


# their constructors store something that the reference's does not
DESIGNS = ("numbered_nodes", "local_derivatives", "children_in_a_dict")


@pytest.mark.parametrize("name", DESIGNS)
def test_an_engine_that_the_reference_does_not_fit_loses_nothing(name: str) -> None:
    file = GOLDEN / "engines" / "correct" / f"{name}.py"
    report = grade(file, ["1-4"], isolate=True)
    assert all(phase.done for phase in report.phases)
    assert "the reference does not fit this code" in report.notes[-2]


def test_no_checkpoint_is_blocked_by_one_that_counts(engine: Callable[[str], Path]) -> None:
    source = (GOLDEN / "engines" / "correct" / "local_derivatives.py").read_text(encoding="utf-8")
    wrong = source.replace("-1.0", "-2.0").replace("exponent - 1", "exponent + 1")
    assert wrong != source
    report = grade(engine(wrong), ["1-4"], isolate=True)
    passed = {r.id for r in report.checkpoints if r.verdict is Verdict.PASSED}
    assert {"phase2.backward", "phase3.power", "phase4.doubling"} <= passed
    assert not any(r.blocked_by in passed for r in report.checkpoints)
    assert not any("positional arguments" in r.message for r in report.checkpoints)


EMPTIED = re.sub(r"raise NotImplementedError\(.*\)", "pass", STUBS)


@pytest.mark.parametrize(
    "source",
    ["x = 1\n", "class Value:\n    pass\n", STUBS, EMPTIED, EMPTIED.replace("pass", "...")],
)
def test_code_that_nobody_wrote_earns_nothing(engine: Callable[[str], Path], source: str) -> None:
    assert grade(engine(source), ["1-6"], isolate=True).score == 0
    assert grade(engine(source), ["phase5"], swap="1-4").score == 0


def test_a_phase_that_is_not_written_earns_nothing(engine: Callable[[str], Path]) -> None:
    source = ENGINE.replace("def zero_grad(self)", "def not_yet(self)")
    phases = grade(engine(source), ["1-6"], isolate=True).phases
    assert [phase.id for phase in phases if not phase.done] == ["phase5"]
    assert phases[4].score == 0
    assert {result.verdict for result in phases[4].checkpoints} == {Verdict.NOT_STARTED}


def test_swapped_methods_make_values_of_the_learner_s_own_class(
    engine: Callable[[str], Path],
) -> None:
    source = STUBS.replace(
        "class Value:", "class Value:\n    def double(self):\n        return self + self\n"
    )
    source = source.replace(
        'raise NotImplementedError("phase 1: Value.__repr__")', "return (self + self.double())._op"
    )
    report = grade(engine(source), ["phase1.repr", "phase2", "phase3"], swap="2-6")
    # its own text, by way of a method of its own
    assert report.phases[0].checkpoints[0].verdict is not Verdict.PASSED
    assert all(
        phase.done for phase in grade(engine(source), ["phase2", "phase3"], swap="1-6").phases
    )


@pytest.mark.parametrize("line", ["", "math = None\n", "from math import tanh, exp\n"])
def test_swapped_functions_bring_their_own_imports(
    engine: Callable[[str], Path], line: str
) -> None:
    source = line + ENGINE.replace("import math\n", "")
    report = grade(engine(source), ["phase6"], swap="6")
    assert report.phases[0].done


def test_the_learner_s_own_functions_keep_their_names(engine: Callable[[str], Path]) -> None:
    source = splice(ENGINE, OWN_TANH).replace("import math\n", "from math import tanh\n")
    report = grade(engine(source), ["phase6.tanh"], swap="1-5")
    assert report.checkpoints[0].verdict is Verdict.PASSED


def test_a_file_that_is_swapped_as_a_whole_need_not_even_load(
    engine: Callable[[str], Path],
) -> None:
    folder = engine("class Value(:\n")
    (folder / "nn.py").write_bytes((kit_folder("solutions") / "nn.py").read_bytes())
    assert not grade(folder, ["phase7"]).phases[0].done
    assert grade(folder, ["phase7"], swap="1-6").phases[0].done
    assert grade(folder, ["phase7"], isolate=True).phases[0].done


def test_a_file_that_was_not_handed_in_begins_as_the_exercise(tmp_path: Path) -> None:
    (tmp_path / "nn.py").write_bytes((kit_folder("solutions") / "nn.py").read_bytes())
    report = grade(tmp_path, ["4-5"], swap="1-4")
    assert report.phases[0].done
    assert {result.verdict for result in report.phases[1].checkpoints} >= {Verdict.NOT_STARTED}


def test_the_reference_swapped_into_the_stubs_passes_everything() -> None:
    report = grade(kit_folder("exercises"), ["all"], swap="all")
    assert report.exit_code == 0


@pytest.mark.parametrize("words", ["9", "all-but", "4-2"])
def test_functions_that_cannot_be_swapped_are_reported(words: str) -> None:
    with pytest.raises(UsageError):
        select_swapped(COURSE, words)


def test_all_but_leaves_the_optional_phases_out_of_nothing() -> None:
    chosen = [stage.id for stage in select_swapped(COURSE, "all-but 4,phase5")]
    assert "ext1" in chosen
    assert not {"phase4", "phase5"} & {*chosen}


def test_every_function_of_the_course_belongs_to_one_phase() -> None:
    owned = [(stage.file, name) for stage in COURSE.stages for name in COURSE.functions(stage)]
    assert len(owned) == len(set(owned))


def test_an_extract_has_what_was_asked_for_and_the_imports() -> None:
    found = extract(ENGINE, frozenset({"Value.tanh"}))
    assert "import math" in found
    assert "def tanh" in found
    assert "def __add__" not in found
