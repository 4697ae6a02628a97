"""A phase whose code is not there at all is not started; code in the wrong place is a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.intake.submission import File
from grader.judge.written import attempt
from grader.learner.editing import functions_in
from grader.model import Kind, Verdict
from support import hand_in, kit_folder
from support.grading import COURSE, by_id, grade, unpassed
from support.mistakes import splice
from support.notebooks import notebook, saved

PHASES = ["phase3", "phase4", "phase5", "phase6"]
ENGINE = (kit_folder("solutions") / "engine.py").read_bytes()

CLEAR = """
def clear(root, name):
    if name != "zero_grad":
        raise AttributeError(name)
    return lambda: [setattr(node, "grad", 0.0) for node in root.build_topo()]
"""
BESIDE = """__init__(self, *args, **named):
        super().__init__(*args, **named)
        self.zero_grad = clear(self, "zero_grad")
"""


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


@pytest.mark.slow
def test_a_missing_phase_blocks_the_ones_that_use_it(tmp_path: Path) -> None:
    report = grade(hand_in(tmp_path, without("phase3")), ["phase4"])
    found = {c.id: c.blocked_by for c in report.checkpoints if c.verdict is Verdict.BLOCKED}
    assert found["phase4.first-graph"].startswith("phase3.")
    assert not [c for c in report.checkpoints if c.verdict is Verdict.FAILED]


@pytest.mark.slow
@pytest.mark.parametrize(
    "attempt",
    [
        "def __mul__(self, other):\n    return Value(self.data * other.data)\n",
        "class Value(Value):\n    def __mull__(self, other):\n        return 1\n",
    ],
    ids=["outside its class", "misspelt"],
)
def test_an_attempt_in_the_wrong_place_is_a_failure(attempt: str, tmp_path: Path) -> None:
    report = grade(hand_in(tmp_path, f"{without('phase3')}\n\n{attempt}"), ["phase3"])
    found = by_id(report)["phase3.times"]
    assert (found.verdict, found.kind) == (Verdict.FAILED, Kind.MISSING_NAME)


@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    ["__getattr__(self, name):\n        return clear(self, name)", BESIDE],
    ids=["__getattr__", "an attribute of each object"],
)
def test_a_method_that_the_class_does_not_have_itself_still_counts(
    method: str, tmp_path: Path
) -> None:
    source = f"{without('phase5')}\n{CLEAR}\n\nclass Value(Value):\n    def {method}\n"
    report = grade(hand_in(tmp_path, source), ["phase5"])
    assert {*unpassed(report)} & {"phase5.zero-grad", "phase5.begin-anew"} == set()


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
    ],
)
def test_only_what_looks_like_an_attempt_is_one(source: str, name: str, *, found: bool) -> None:
    file = File("engine", "engine.py", source.encode())
    assert (attempt([file], name, COURSE) is not None) is found


def test_the_class_with_the_methods_is_the_attempt_and_never_a_method() -> None:
    ids = "class Numbers:\n    def value(self): ...\n"
    nodes = "class Node:\n    def __add__(self, other): ...\n"
    file = File("engine", "engine.py", f"{ids}{nodes}".encode())
    found = attempt([file], "Value", COURSE)
    assert found is not None
    assert (found.name, found.line) == ("Node", 3)


def test_an_argument_is_no_attempt_at_a_function() -> None:
    caller = File("two_moons", "two_moons.py", b"def main():\n    train(\n        batch_size=10,\n")
    found = attempt([caller], "batches", COURSE, "batch_size")
    assert found is None or not found.instead_of("batches", "train.py")


def test_a_class_of_another_file_does_not_attempt_the_methods_of_a_value() -> None:
    engine = File("engine", "engine.py", b"class Value:\n    pass\n")
    module = b"class Module:\n    def zero_grad(self): ...\n"
    nn, beside = File("nn", "nn.py", module), File("engine", "engine.py", engine.source + module)
    assert attempt([engine, nn], "Value.zero_grad", COURSE) is None
    assert attempt([beside], "Value.zero_grad", COURSE) is not None
