"""What the stubs promise: every line they show is true, and their order is the learner's way."""

from __future__ import annotations

import ast
import doctest
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.curriculum.source import definitions, functions_in, replace_functions
from grader.model import Verdict
from support import changed, hand_in, kit_folder
from support.grading import COURSE, grade, unpassed
from support.mistakes import splice

FILES = [
    pytest.param(file, marks=[pytest.mark.needs("numpy")] if file == "tensor.py" else [])
    for file in COURSE.files
]
TRY_IT = re.compile(r"^ *# (?=>>>).*(?:\n *# .*)*", re.MULTILINE)


@pytest.fixture
def solutions(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the solutions, importable."""
    folder = kit_folder("solutions")
    monkeypatch.syspath_prepend(str(folder))
    for module in COURSE.modules:
        monkeypatch.delitem(sys.modules, module, raising=False)
    yield folder
    for module in COURSE.modules:
        sys.modules.pop(module, None)


def shown(file: str) -> list[tuple[str, str]]:
    """Every text with examples in an exercise, with the name of its place."""
    text = (kit_folder("exercises") / file).read_text(encoding="utf-8")
    docstrings = [
        (name, ast.get_docstring(node) or "") for name, node in definitions(ast.parse(text))
    ]
    blocks = [re.sub(r"^ *# ", "", found, flags=re.MULTILINE) for found in TRY_IT.findall(text)]
    return [*docstrings, *((f"try it {number}", block) for number, block in enumerate(blocks, 1))]


@pytest.mark.parametrize("file", FILES)
def test_every_line_that_a_stub_shows_is_true(file: str, solutions: Path) -> None:
    runner = doctest.DocTestRunner(verbose=False)
    for name, text in shown(file):
        names = runpy.run_path(str(solutions / file))
        runner.run(doctest.DocTestParser().get_doctest(text, names, name, file, 0))
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries > 0


@pytest.mark.parametrize("file", COURSE.files)
def test_the_checkpoints_ask_for_the_stubs_in_the_order_of_the_file(file: str) -> None:
    tree = ast.parse((kit_folder("exercises") / file).read_text(encoding="utf-8"))
    asked = [n for s in COURSE.stages if s.file == file for n in COURSE.functions(s)]
    stubs = [name for name, _ in definitions(tree) if name in asked]
    assert stubs == [name for name in dict.fromkeys(asked) if name in stubs]


# --- phase 2 in two parts ---

FORWARD = b"""
def __add__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    return Value(self.data + other.data, (self, other), "+")
"""


@pytest.mark.slow
def test_the_forward_half_of_a_sum_makes_the_first_checkpoints_of_phase_2_green(
    tmp_path: Path,
) -> None:
    stubs = (kit_folder("exercises") / "engine.py").read_bytes()
    written = functions_in((kit_folder("solutions") / "engine.py").read_bytes())
    half = {name: written[name] for name in ("Value.__init__", "Value.__repr__")}
    (tmp_path / "engine.py").write_bytes(
        replace_functions(stubs, half | {"Value.__add__": FORWARD.lstrip()})
    )
    found = [result.verdict.value for result in grade(tmp_path, ["phase2"]).checkpoints]
    assert found[:4] + found[-1:] == ["passed"] * 5
    assert "passed" not in found[4:-1]


# --- predictions ---


PREDICTED = {
    "a after f": "f.grad = 1.0; f._backward()",
    "a after s": "f.backward()",
    "a with =": "f.backward()",
    "s again": "f.backward(); f.backward(); a = s",
    "a again": "f.backward(); f.backward()",
    "a from both": "f.backward(); (4 * a).backward()",
}


def test_the_predictions_are_what_an_engine_computes(solutions: Path) -> None:
    source, found = (solutions / "engine.py").read_text(encoding="utf-8"), {}
    for name, lines in PREDICTED.items():
        names: dict[str, Any] = {}
        exec(source.replace(".grad +=", ".grad =") if "=" in name else source, names)
        exec(f"a = Value(3.0); s = a * a; f = s + a; {lines}", names)
        found[name] = names["a"].grad
    assert runpy.run_path(str(solutions / "predictions.py"))["predictions"]() == found


# --- the measured derivative ---


@pytest.mark.parametrize(
    "body",
    [
        "(f(x + h) - f(x - h)) / (2 * h)",
        "(f(x + h) - f(x)) / h",
        "(f(x) - f(x - h)) / h",
        "(8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)",
    ],
)
@pytest.mark.parametrize("h", [1e-3, 1e-4, 1e-6, 1e-8, 1e-10])
def test_any_sensible_step_measures_a_slope(tmp_path: Path, body: str, h: float) -> None:
    measured = f"def slope(f, x):\n    h = {h!r}\n    return {body}\n"
    source = splice(changed(file="by_hand.py"), measured)
    assert unpassed(grade(hand_in(tmp_path, source, "by_hand.py"), ["by-hand"])) == {}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("f(x + 0.001) - f(x)", "the function is `5 * x - 2` and `x` is 3"),
        ("(f(x + 0.5) - f(x)) / 0.5", "the step must be small"),
        ("None", "must return a number"),
    ],
)
def test_a_wrong_slope_shows_the_function_and_the_place(
    tmp_path: Path, body: str, reason: str
) -> None:
    source = f"def slope(f, x):\n    return {body}\n"
    report = grade(hand_in(tmp_path, source, "by_hand.py"), ["by-hand"])
    failed = [r for r in report.checkpoints if r.id.startswith("by-hand.slope")]
    assert reason in next(r for r in failed if r.verdict is Verdict.FAILED).message
