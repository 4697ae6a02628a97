"""A phase whose code is not there at all is not started; code in the wrong place is a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.intake.submission import File
from grader.judge.written import attempt
from grader.learner.editing import functions_in
from grader.model import Verdict
from support import hand_in, kit_folder, there
from support.grading import COURSE, by_id, grade
from support.mistakes import splice
from support.notebooks import notebook, saved

PHASES = ["phase3", "phase4", "phase5", "phase6"]
ENGINE = (kit_folder("solutions") / "engine.py").read_bytes()


def without(*phases: str) -> str:
    """Return the reference engine without the functions of these phases."""
    source, functions = ENGINE, functions_in(ENGINE, "engine.py")
    for stage in COURSE.stages:
        if stage.id in phases:
            for name in COURSE.functions(stage):
                source = source.replace(functions[name], b"")
    return source.decode()


def in_notebook(folder: Path, source: str) -> Path:
    file = folder / "work.ipynb"
    file.write_bytes(saved(notebook(source)))
    return file


@pytest.mark.slow
@pytest.mark.parametrize("form", [hand_in, in_notebook])
def test_phases_whose_stubs_were_deleted_are_not_started(
    form: Callable[[Path, str], Path], tmp_path: Path
) -> None:
    report = grade(form(tmp_path, without(*PHASES)), ["phase2", *PHASES])
    verdicts = Counter(c.verdict for p in report.phases[1:] for c in p.checkpoints)
    assert set(verdicts) == {Verdict.NOT_STARTED}
    assert {c.verdict for c in report.phases[0].checkpoints} == {Verdict.PASSED}
    assert by_id(report)["phase3.times"].message.endswith("has no `Value.__mul__` yet")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "verdict"), [(hand_in, Verdict.FAILED), (in_notebook, Verdict.NOT_STARTED)]
)
def test_a_function_missing_from_a_phase_that_was_begun_was_forgotten(
    form: Callable[[Path, str], Path], verdict: Verdict, tmp_path: Path
) -> None:
    source = splice(ENGINE.decode(), "", ["Value.__radd__"])
    assert by_id(grade(form(tmp_path, source), ["phase2"]))["phase2.number-left"].verdict is verdict


@pytest.mark.parametrize(
    ("source", "name", "found"),
    [
        ("class Value:\n    def __add__(self, other): ...\n", "Value.__mul__", False),
        ("class Value:\n    def __str__(self): ...\n", "Value.__sub__", False),
        (
            "class Value:\n    def __init__(self):\n        self._backward = 1\n",
            "Value.backward",
            False,
        ),
        ("class SGD:\n    def zero_grad(self): ...\n", "Adam.zero_grad", False),
        ("class Layer:\n    def __init__(self): ...\n", "Neuron.__init__", False),
        ("", "Value", False),
        ("class Tape:\n    ...\nclass Value:\n    ...\n", "Neuron", False),
        ("class Scalar:\n    ...\n", "Value", True),
        ("class Valeu:\n    ...\nclass Neuron:\n    ...\n", "Value", True),
        (
            "class Value:\n    def f(self):\n        def backward(self): ...\n",
            "Value.backward",
            True,
        ),
        ("def backward(self): ...\n", "Value.backward", True),
        ("class Value:\n    def bakward(self): ...\n", "Value.backward", True),
        ("Value.tanh = lambda self: self\n", "Value.tanh", True),
        ("class Base:\n    def __getattr__(self, name): ...\n", "Value.tanh", True),
        ("def training(): ...\n", "train", True),
        (
            "class Value:\n    pass\nclass Module:\n    def zero_grad(self): ...\n",
            "Value.zero_grad",
            True,
        ),
    ],
)
def test_only_what_looks_like_an_attempt_is_one(source: str, name: str, *, found: bool) -> None:
    file = File("engine", "engine.py", source.encode())
    assert (attempt([file], name, COURSE) is not None) is found


IDS = "class Numbers:\n    def value(self): ...\n"
NODES = "class Node:\n    def __add__(self, other): ...\n"


def test_the_class_with_the_methods_is_the_attempt_and_never_a_method() -> None:
    found = there(attempt([File("engine", "engine.py", f"{IDS}{NODES}".encode())], "Value", COURSE))
    assert (found.name, found.line) == ("Node", 3)


def test_an_argument_is_no_attempt_at_a_function() -> None:
    caller = File("two_moons", "two_moons.py", b"def main():\n    train(\n        batch_size=10,\n")
    found = attempt([caller], "batches", COURSE, "batch_size")
    assert found is None or not found.instead_of("batches", "train.py")


def test_a_class_of_another_file_does_not_attempt_the_methods_of_a_value() -> None:
    engine = File("engine", "engine.py", b"class Value:\n    pass\n")
    nn = File("nn", "nn.py", b"class Module:\n    def zero_grad(self): ...\n")
    assert not attempt([engine, nn], "Value.zero_grad", COURSE)
