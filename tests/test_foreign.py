"""Engines that were not written for this course: found by trying, graded through their adapters, right ones and faulty ones."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.adapter import Adapter, read_adapter, template
from grader.adapting import written
from grader.adapting_files import find_engine
from grader.courses import load_course
from grader.errors import SubmissionError, UsageError
from grader.foreign import read_foreign, root_of
from grader.grading import grade
from grader.model import Report, Verdict

GRADE = [sys.executable, "-c", "from grader.cli import main; main()"]
HERE = Path(__file__).parent / "foreign"
RIGHT = sorted(path for path in (HERE / "right").iterdir() if path.name != "__pycache__")
WRONG = {
    "assigns.py": "phase2.backward",
    "division_sign.py": "phase3.divided-backward",
    "equal_values.py": "phase2.backward",
    "preorder.py": "phase4.reused-intermediate",
    "reflected_minus.py": "phase3.number-minus",
    "tanh_slope.py": "phase6.tanh-backward",
}
CONVENTIONS = {"property_clears.py": {"phase4.two-results", "phase5.accumulate", "phase5.second-backward"}}
FOUND = {
    "other_names.py": ['data = "value"', 'gradient = "gradient"', 'backward = "{}.backprop()"', 'tanh" = "{}.Tanh()"'],
    "functions_only.py": ['data = "val"', 'backward = "backward({})"', "numbers = false", '"+" = "add({}, {})"', '"**" = "power({}, {})"'],
    "tape.py": ['gradient = "adjoint"', 'backward = "{}.run_tape_backwards()"'],
    "factory.py": ['class = "Var"', 'make = "Var.leaf({})"'],
    "requires_grad.py": ['make = "Tensor({}, requires_grad=True)"'],
    "property_clears.py": ["clears = true", 'gradient = "_g"'],
    "slots.py": ['"relu" = "relu({})"'],
    "package": ['"engine.py" = "micrograd/engine.py"'],
}
MICROGRAD = """
class = "Value"
make = "Value({})"
data = "data"
gradient = "grad"

[files]
"engine.py" = "micrograd/engine.py"
"nn.py" = "micrograd/nn.py"

[networks]
"Neuron" = "Neuron({})"
"Neuron relu" = "Neuron({})"
"Neuron linear" = "Neuron({}, nonlin=False)"
"Layer" = "Layer({}, {})"
"Layer relu" = "Layer({}, {})"
"MLP" = "MLP({}, {})"
"MLP relu linear" = "MLP({}, {})"
"""


def adapted(path: Path, where: Path) -> tuple[Adapter, str]:
    """The adapter that is found for an engine, written and read again; and its text."""
    packages = ("numpy",) if "numpy" in path.name else ()
    text = written(find_engine(load_course(), path, root_of(path), packages))
    file = where / "adapter.toml"
    file.write_text(text, encoding="utf-8")
    return read_adapter(file), text


def failed(report: Report) -> set[str]:
    """What fails or is blocked, a bonus aside."""
    return {c.id for c in report.checkpoints if c.verdict in {Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR} and not c.bonus}


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.name)
def test_a_right_engine_of_any_style_fails_nothing(path: Path, tmp_path: Path) -> None:
    if "numpy" in path.name:
        pytest.importorskip("numpy")
    adapter, text = adapted(path, tmp_path)
    for line in FOUND.get(path.name, ()):
        assert line in text
    report = grade(path, ("1-6",), adapter=adapter)
    assert failed(report) == CONVENTIONS.get(path.name, set())
    passed = {c.id for c in report.checkpoints if c.verdict is Verdict.PASSED}
    assert {"phase2.backward", "phase3.times-backward", "phase4.reused-intermediate", "phase4.random-graphs", "phase5.diamond"} <= passed
    assert any("through an adapter" in note for note in report.notes)


@pytest.mark.parametrize("name", WRONG)
def test_a_faulty_engine_is_caught(name: str, tmp_path: Path) -> None:
    path = HERE / "wrong" / name
    adapter, _ = adapted(path, tmp_path)
    report = grade(path, ("1-6",), adapter=adapter)
    caught = next(c for c in report.checkpoints if c.id == WRONG[name])
    assert caught.verdict is Verdict.FAILED
    assert f"from {path.stem} import" in caught.reproduce  # in the engine's own words
    assert adapter.data in caught.reproduce or adapter.gradient in caught.reproduce


def test_what_is_form_or_missing_is_not_started_and_says_so(tmp_path: Path) -> None:
    path = HERE / "right" / "micrograd.py"
    report = grade(path, ("1-6",), adapter=adapted(path, tmp_path)[0])
    told = {c.id: c.message for c in report.checkpoints if c.verdict is Verdict.NOT_STARTED}
    for form in ("phase1.children", "phase1.operation", "phase1.no-op-backward", "phase1.repr", "phase2.graph", "phase4.order"):
        assert "not asked" in told[form]
    assert told["phase6.tanh"] == "this engine has no `tanh v` (v a node, k a number)"
    assert all(told.values())


def test_one_that_clears_first_is_told_so(tmp_path: Path) -> None:
    path = HERE / "right" / "property_clears.py"
    report = grade(path, ("5",), adapter=adapted(path, tmp_path)[0])
    assert "clears them first" in next(c for c in report.checkpoints if c.id == "phase5.accumulate").message


@pytest.fixture
def micrograd(tmp_path: Path) -> Path:
    """The package, with an adapter for its networks as well."""
    folder = tmp_path / "package"
    shutil.copytree(HERE / "right" / "package", folder)
    (folder / "adapter.toml").write_text(MICROGRAD, encoding="utf-8")
    return folder


def test_networks_with_other_activations(micrograd: Path) -> None:
    adapter = read_adapter(micrograd / "adapter.toml")
    report = grade(micrograd, ("7",), adapter=adapter)
    assert failed(report) == set()
    assert sum(c.verdict is Verdict.PASSED for c in report.checkpoints) == len(report.checkpoints) - 1  # the numbers to begin with
    nn = micrograd / "micrograd" / "nn.py"
    nn.write_text(nn.read_text(encoding="utf-8").replace("if self.nonlin else act", "if not self.nonlin else act"), encoding="utf-8")
    assert {"phase7.neuron-output", "phase7.mlp-output"} <= failed(grade(micrograd, ("7",), adapter=adapter))


def test_a_file_in_a_package_is_found_with_its_package(micrograd: Path) -> None:
    adapter = read_adapter(micrograd / "adapter.toml")
    file = micrograd / "micrograd" / "engine.py"
    assert root_of(file).resolve() == micrograd.resolve()
    assert {"micrograd", "micrograd.engine", "micrograd.nn"} <= {f.module for f in read_foreign(root_of(file), adapter).files}
    assert failed(grade(file, ("2",), adapter=adapter)) == set()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("class =", "klass ="), "there is no key 'klass'"),
        (('class = "Value"', 'class = "Tensor"'), "'class' is 'Tensor', and micrograd.engine has no such class"),
        (('make = "Value({})"', 'make = "Value"'), "'make' is 'Value', which is not understood"),
        (('make = "Value({})"', 'make = "Value({}, {})"'), "'make' is 'Value({}, {})', and must have one {}"),
        (('data = "data"', 'data = "data()"'), "'data' is 'data()', and must be an attribute"),
        (('"Neuron({})"', '"lambda: Neuron({})"'), "[networks] 'Neuron' is 'lambda: Neuron({})', which is not understood"),
        (("micrograd/nn.py", "micrograd/net.py"), "there is no such file"),
        (("micrograd/nn.py", "../nn.py"), "[files] 'nn.py' is '../nn.py'"),
        (('"nn.py" =', '"net.py" ='), "[files]: there is no 'net.py' in this course"),
        (('"engine.py" = "micrograd/engine.py"', ""), "[files] does not say where 'engine.py' is"),
        (('"MLP" =', '"Mlp" ='), "[networks]: there is no 'Mlp' in this course"),
        (("[networks]", '[calls]\ntahn = "tanh({})"\n[networks]'), "[calls]: there is no 'tahn' in this course"),
        (("[files]", "[files"), "is no TOML"),
        (('gradient = "grad"', ""), "the key 'gradient' is missing"),
    ],
)
def test_a_wrong_adapter_is_wrong_usage(micrograd: Path, change: tuple[str, str], told: str) -> None:
    file = micrograd / "adapter.toml"
    file.write_text(MICROGRAD.replace(*change, 1), encoding="utf-8")
    with pytest.raises(UsageError) as met:
        grade(micrograd, ("1",), adapter=read_adapter(file))
    assert told in met.value.message
    assert met.value.hint


@pytest.mark.parametrize("text", ["", "f", "f()", "{}", "{}.a.b()", "f({})()", "f({}, x)", "f(*{})", "import os", "f({}" * 40, "{}[0]({})"])
def test_a_template_is_one_call_with_operands(text: str) -> None:
    with pytest.raises(UsageError):
        template(text, "here")


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*GRADE, *words], cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)


def test_the_command_line(micrograd: Path) -> None:
    told = run("adapt", ".", cwd=micrograd)
    assert (told.returncode, "is there already" in told.stderr) == (2, True)
    told = run("adapt", ".", "--output", "found.toml", cwd=micrograd)
    assert told.returncode == 0, told.stderr
    assert "not found, and not asked: zero_grad, tanh, exp" in told.stdout
    told = run("4.first-graph", "--at", ".", "--adapter", "found.toml", cwd=micrograd)
    assert (told.returncode, "1 of 1" in told.stdout) == (0, True), told.stderr
    table = (micrograd / "found.toml").read_text(encoding="utf-8").replace("[files]", "[tool.grade.adapter.files]")
    table = table.replace("[calls]", "[tool.grade.adapter.calls]")
    (micrograd / "pyproject.toml").write_text(f"[tool.grade.adapter]\n{table}", encoding="utf-8")
    told = run("4.first-graph", "--at", ".", cwd=micrograd)
    assert (told.returncode, "1 of 1" in told.stdout) == (0, True), told.stderr
    for words in (["4", "--at", ".", "--adapter", "nowhere.toml"], ["4", "--adapter", "found.toml"], ["4", "--at", ".", "--swap", "1"]):
        told = run(*words, cwd=micrograd)
        assert told.returncode == 2
        assert "hint:" in told.stderr


def test_nothing_to_find_is_told(tmp_path: Path) -> None:
    for source, told in (("x = 1\n", "has no class"), ("class A:\n    def __init__(self, x):\n        self.x = x\n", "nothing was found that multiplies")):
        file = tmp_path / "thing.py"
        file.write_text(source, encoding="utf-8")
        with pytest.raises(UsageError) as met:
            find_engine(load_course(), file, tmp_path)
        assert told in met.value.message


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_no_file_is_read_through_a_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "engine.py").write_text("class Value: pass")
    (tmp_path / "mallory").mkdir()
    (tmp_path / "mallory" / "sub").symlink_to("../ada")
    adapter = Adapter("adapter.toml", {"engine.py": "sub/engine.py"}, "Value", template("Value({})", "make"), template("{}.backward()", "backward"))
    with pytest.raises(SubmissionError, match="mallory/sub' is a link"):
        read_foreign(tmp_path / "mallory", adapter)
