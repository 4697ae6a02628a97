"""Engines that were not written for this course: found by trying, graded through their adapters,
right ones and faulty ones.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.errors import SubmissionError, UsageError
from grader.intake.adapter import Adapter, adapter_text, read_adapter, template
from grader.intake.foreign import python_files, read_foreign, root_of
from grader.learner.adapting.search import find_engine
from grader.model import Report, Verdict
from support.golden import unpacked
from support.grading import grade

pytestmark = pytest.mark.slow

GRADE = [sys.executable, "-c", "from grader.cli.app import main; main()"]
HERE = unpacked("foreign")
RIGHT = sorted((HERE / "right").iterdir())
WRONG = {
    "assigns.py": "phase2.backward",
    "division_sign.py": "phase3.divided-backward",
    "equal_values.py": "phase2.backward",
    "preorder.py": "phase4.reused-intermediate",
    "reflected_minus.py": "phase3.number-minus",
    "tanh_slope.py": "phase6.tanh-backward",
}
FOUND = {
    "other_names.py": [
        'data = "value"',
        'gradient = "gradient"',
        'backward = "{}.backprop()"',
        'tanh" = "{}.Tanh()"',
    ],
    "functions_only.py": [
        'data = "val"',
        'backward = "backward({})"',
        "numbers = false",
        '"+" = "add({}, {})"',
        '"**" = "power({}, {})"',
    ],
    "tape.py": ['gradient = "adjoint"', 'backward = "{}.run_tape_backwards()"'],
    "factory.py": ['class = "Var"', 'make = "Var.leaf({})"'],
    "requires_grad.py": ['make = "Tensor({}, requires_grad=True)"'],
    "property_clears.py": ["clears = true", 'gradient = "_g"'],
    "nodes_only.py": ["numbers = false"],
    "slots.py": ['"relu" = "relu({})"'],
    "backward_attached.py": ['backward = "{}.backward()"'],
    "gradient_given.py": ['backward = "{}.backprop(1.0)"'],
    "seeded_by_hand.py": ["seed = true"],
    "bias_below.py": ['class = "Value"'],
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
    engine = find_engine(load_course(), path, root_of(path), ProcessHost(), packages)
    text = adapter_text(engine.adapter)
    file = where / "adapter.toml"
    file.write_text(text, encoding="utf-8")
    return read_adapter(file), text


def failed(report: Report) -> set[str]:
    """What fails or is blocked, a bonus aside."""
    return {
        c.id
        for c in report.checkpoints
        if c.verdict in {Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR} and not c.bonus
    }


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.name)
def test_a_right_engine_of_any_style_fails_nothing(path: Path, tmp_path: Path) -> None:
    if "numpy" in path.name:
        pytest.importorskip("numpy")
    adapter, text = adapted(path, tmp_path)
    for line in FOUND.get(path.name, ()):
        assert line in text
    report = grade(path, ("1-6",), adapter=adapter)
    assert failed(report) == set()
    passed = {c.id for c in report.checkpoints if c.verdict is Verdict.PASSED}
    assert {
        "phase2.backward",
        "phase3.times-backward",
        "phase4.reused-intermediate",
        "phase4.random-graphs",
        "phase5.diamond",
    } <= passed
    assert any("through an adapter" in note for note in report.notes)


def verdicts_of(report: Report) -> dict[str, str]:
    return {c.id: c.verdict.value for c in report.checkpoints}


def test_sum_is_not_asked_of_an_engine_whose_operands_must_be_nodes_and_a_wide_graph_is(
    tmp_path: Path,
) -> None:
    for name in ("nodes_only.py", "numbers_on_the_right_only.py"):
        path = HERE / "right" / name
        found = verdicts_of(grade(path, ("2-4",), adapter=adapted(path, tmp_path)[0]))
        assert (found["phase2.sum"], found["phase4.wide"], found["phase4.seed"]) == (
            "not_started",
            "passed",
            "passed",
        )


def test_conventions_of_the_stubs_are_not_asked(tmp_path: Path) -> None:
    for name, checkpoints in {
        "seed_is_added.py": ["phase4.seed"],
        "read_only_data.py": ["phase1.data"],
        "labels_double.py": ["phase4.doubling"],
    }.items():
        path = HERE / "right" / name
        found = verdicts_of(grade(path, tuple(checkpoints), adapter=adapted(path, tmp_path)[0]))
        assert {found[checkpoint] for checkpoint in checkpoints} == {"passed"}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("assigns.py", "parent.grad = slope * node.grad"),
        ("reflected_minus.py", "return self - Tensor.lift(o)"),
    ],
)
def test_a_small_change_of_an_engine_with_an_adapter_is_proven(
    tmp_path: Path, name: str, line: str
) -> None:
    path = tmp_path / name
    path.write_text((HERE / "wrong" / name).read_text(encoding="utf-8"), encoding="utf-8")
    checkpoint = WRONG[name]
    report = grade(path, (checkpoint,), adapter=adapted(path, tmp_path)[0], prove=1)
    (result,) = report.checkpoints
    assert result.diagnosis is not None
    phase = checkpoint.partition(".")[0]
    assert result.diagnosis.proof.endswith(f", everything you have for {phase} passes")
    assert result.where is not None
    assert result.where.source == line


BROKEN_PRODUCTS = [
    ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad"),
    ("out = Value(self.data * other.data,", "out = missing(self.data * other.data,"),
]


@pytest.mark.parametrize("change", BROKEN_PRODUCTS, ids=["slope", "raises"])
def test_a_broken_product_does_not_make_addition_wrong(
    change: tuple[str, str], tmp_path: Path
) -> None:
    path = HERE / "right" / "labels_double.py"
    adapter, _ = adapted(path, tmp_path)
    other = tmp_path / path.name
    other.write_text(path.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    report = grade(other, ("2-3",), adapter=adapter)
    assert not {checkpoint for checkpoint in failed(report) if checkpoint.startswith("phase2.")}
    assert {"phase3.times-backward"} <= failed(report)
    other.write_text(
        other.read_text(encoding="utf-8").replace(
            "            self.grad += out.grad\n            other", "            other"
        ),
        encoding="utf-8",
    )
    assert {"phase2.backward", "phase2.number-right"} <= failed(
        grade(other, ("2",), adapter=adapter)
    )


OPERATIONS = [
    f"ext1.{name}"
    for name in (
        "log",
        "log-backward",
        "sigmoid",
        "sigmoid-backward",
        "inside",
        "used-twice",
        "random-graphs",
    )
]


def test_functions_of_the_course_may_be_methods_or_have_other_names(tmp_path: Path) -> None:
    path = HERE / "right" / "torch_beside_it.py"
    adapter, text = adapted(path, tmp_path)
    report = grade(path, ("ext1",), adapter=adapter)
    found = verdicts_of(report)
    assert {found[checkpoint] for checkpoint in OPERATIONS} == {"passed"}
    assert {found[f"ext1.{name}"] for name in ("sin", "cos", "log-edge", "sigmoid-far-out")} == {
        "not_started"
    }
    assert "this engine has no `sin`" in next(
        c.message for c in report.checkpoints if c.id == "ext1.sin"
    )
    file = tmp_path / "adapter.toml"
    entries = text.replace("[files]", '[files]\n"operations.py" = "torch_beside_it.py"')
    file.write_text(
        entries + ("" if "[calls]" in text else "\n[calls]\n") + '"sin" = "sine({})"\n',
        encoding="utf-8",
    )
    found = verdicts_of(grade(path, ("ext1",), adapter=read_adapter(file)))
    assert {found[checkpoint] for checkpoint in (*OPERATIONS, "ext1.sin", "ext1.sin-backward")} == {
        "passed"
    }


def test_a_wrong_sigmoid_is_caught(tmp_path: Path) -> None:
    path = HERE / "right" / "torch_beside_it.py"
    adapter, _ = adapted(path, tmp_path)
    wrong = tmp_path / path.name
    wrong.write_text(
        path.read_text(encoding="utf-8").replace("s * (1 - s) * out.grad", "s * out.grad"),
        encoding="utf-8",
    )
    report = grade(wrong, ("ext1",), adapter=adapter)
    assert {"ext1.sigmoid-backward", "ext1.inside"} <= failed(report)
    assert "ext1.sigmoid" not in failed(report)
    assert ".sigmoid()" in next(
        c.reproduce for c in report.checkpoints if c.id == "ext1.sigmoid-backward"
    )


@pytest.mark.parametrize("name", WRONG)
def test_a_faulty_engine_is_caught(name: str, tmp_path: Path) -> None:
    path = HERE / "wrong" / name
    adapter, _ = adapted(path, tmp_path)
    report = grade(path, (WRONG[name].partition(".")[0],), adapter=adapter)
    caught = next(c for c in report.checkpoints if c.id == WRONG[name])
    assert caught.verdict is Verdict.FAILED
    assert f"from {path.stem} import" in caught.reproduce  # in the engine's own words
    assert adapter.data in caught.reproduce or adapter.gradient in caught.reproduce


SILENT = "other = other.data if isinstance(other, Value) else other"


@pytest.mark.parametrize(
    ("old", "new", "checkpoint", "verdict"),
    [
        ("", "", "phase3.power-refuses", "passed"),
        ("assert isinstance(other, (int, float))", SILENT, "phase3.power-refuses", "failed"),
        (
            "def __neg__(self):",
            "__rpow__ = lambda self, other: Value(other**self.data)\n\n    def __neg__(self):",
            "phase3.power-refuses",
            "failed",
        ),
        (
            "        return self * other**-1",
            "        return self * other.__pow__(-1) if isinstance(other, Value) else other.data",
            "phase3.divided",
            "passed",
        ),
    ],
)
def test_a_lost_gradient_is_a_failure_and_a_gap_is_none(
    old: str, new: str, checkpoint: str, verdict: str, tmp_path: Path
) -> None:
    path = tmp_path / "engine.py"
    source = (HERE / "right" / "micrograd.py").read_text(encoding="utf-8")
    path.write_text(source.replace(old, new, 1), encoding="utf-8")
    found = grade(path, ("3",), adapter=adapted(path, tmp_path)[0])
    assert verdicts_of(found)[checkpoint] == verdict
    assert failed(found) == ({checkpoint} if verdict == "failed" else set())


def test_what_is_form_or_missing_is_not_started_and_says_so(tmp_path: Path) -> None:
    path = HERE / "right" / "micrograd.py"
    report = grade(path, ("1-6",), adapter=adapted(path, tmp_path)[0])
    told = {c.id: c.message for c in report.checkpoints if c.verdict is Verdict.NOT_STARTED}
    for form in (
        "phase1.children",
        "phase1.operation",
        "phase1.no-op-backward",
        "phase1.repr",
        "phase2.graph",
        "phase4.order",
    ):
        assert "not checked" in told[form]
    assert told["phase6.tanh"] == "this engine has no `tanh v` (v is a node, k a number)"
    assert all(told.values())


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
    # the numbers to begin with
    assert (
        sum(c.verdict is Verdict.PASSED for c in report.checkpoints) == len(report.checkpoints) - 1
    )
    nn = micrograd / "micrograd" / "nn.py"
    nn.write_text(
        nn.read_text(encoding="utf-8").replace(
            "if self.nonlin else act", "if not self.nonlin else act"
        ),
        encoding="utf-8",
    )
    assert {"phase7.neuron-output", "phase7.mlp-output"} <= failed(
        grade(micrograd, ("7",), adapter=adapter)
    )


def test_a_file_in_a_package_is_found_with_its_package(micrograd: Path) -> None:
    adapter = read_adapter(micrograd / "adapter.toml")
    file = micrograd / "micrograd" / "engine.py"
    assert root_of(file).resolve() == micrograd.resolve()
    assert {"micrograd", "micrograd.engine", "micrograd.nn"} <= {
        f.module for f in read_foreign(root_of(file), adapter).files
    }
    assert failed(grade(file, ("2",), adapter=adapter)) == set()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("class =", "klass ="), "the key 'class' is missing"),
        (
            ('class = "Value"', 'class = "Tensor"'),
            "'class' is 'Tensor', and micrograd.engine does not define it",
        ),
        (
            ('make = "Value({})"', 'make = "Value"'),
            "'make' is 'Value', which is not a supported call",
        ),
        (
            ('make = "Value({})"', 'make = "Value({}, {})"'),
            "'make' is 'Value({}, {})'; it must contain one {}",
        ),
        (
            ('data = "data"', 'data = "data(0)"'),
            "'data' is 'data(0)'; it must be the name of an attribute or of a method",
        ),
        (
            ('"Neuron({})"', '"lambda: Neuron({})"'),
            "[networks] 'Neuron' is 'lambda: Neuron({})', which is not a supported call",
        ),
        (("micrograd/nn.py", "micrograd/net.py"), "which does not exist"),
        (("micrograd/nn.py", "../nn.py"), "[files] 'nn.py' is '../nn.py'"),
        (('"nn.py" =', '"net.py" ='), "[files]: this course has no 'net.py'"),
        (('"engine.py" = "micrograd/engine.py"', ""), "[files] does not say where 'engine.py' is"),
        (('"MLP" =', '"Mlp" ='), "[networks]: this course has no 'Mlp'"),
        (
            ("[networks]", '[calls]\ntahn = "tanh({})"\n[networks]'),
            "[calls]: this course has no 'tahn'",
        ),
        (("[files]", "[files"), "is not valid TOML"),
        (('gradient = "grad"', ""), "the key 'gradient' is missing"),
    ],
)
def test_a_wrong_adapter_is_wrong_usage(
    micrograd: Path, change: tuple[str, str], told: str
) -> None:
    file = micrograd / "adapter.toml"
    file.write_text(MICROGRAD.replace(*change, 1), encoding="utf-8")
    with pytest.raises(UsageError) as met:
        grade(micrograd, ("1",), adapter=read_adapter(file))
    assert told in met.value.message
    assert met.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f",
        "f()",
        "{}",
        "{}.a.b()",
        "f({})()",
        "f({}, x)",
        "f(*{})",
        "import os",
        "f({}" * 40,
        "{}[0]({})",
    ],
)
def test_a_template_is_one_call_with_operands(text: str) -> None:
    with pytest.raises(UsageError):
        template(text, "here")


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GRADE, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_command_line(micrograd: Path) -> None:
    told = run("adapt", ".", cwd=micrograd)
    assert (told.returncode, "already exists" in told.stderr) == (2, True)
    told = run("adapt", ".", "--output", "found.toml", cwd=micrograd)
    assert told.returncode == 0, told.stderr
    assert "not found, so not tested: zero_grad, tanh, exp" in told.stdout
    told = run("4.first-graph", "--at", ".", "--adapter", "found.toml", cwd=micrograd)
    assert (told.returncode, "1/1" in told.stdout) == (0, True), told.stderr
    table = (
        (micrograd / "found.toml")
        .read_text(encoding="utf-8")
        .replace("[files]", "[tool.grade.adapter.files]")
    )
    table = table.replace("[calls]", "[tool.grade.adapter.calls]")
    (micrograd / "pyproject.toml").write_text(f"[tool.grade.adapter]\n{table}", encoding="utf-8")
    told = run("4.first-graph", "--at", ".", "--adapter", "pyproject.toml", cwd=micrograd)
    assert (told.returncode, "1/1" in told.stdout) == (0, True), told.stderr
    refused = (
        ["4", "--at", ".", "--adapter", "nowhere.toml"],
        ["4", "--adapter", "found.toml"],
        ["4", "--at", ".", "--adapter", "found.toml", "--swap", "1"],
    )
    for words in refused:
        told = run(*words, cwd=micrograd)
        assert told.returncode == 2
        assert "hint:" in told.stderr


@pytest.mark.parametrize("beside", ["an adapter", "brackets", "a pipe"])
def test_files_next_to_an_engine_do_not_configure_its_grading(tmp_path: Path, beside: str) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    (folder / "engine.py").write_text("class Value: pass\n", encoding="utf-8")
    entries = (
        "[tool.grade.adapter]\n"
        'class = "Value"\n'
        'make = "Value({})"\n'
        'data = "data"\n'
        'gradient = "grad"\n'
        'packages = ["numpy.f2py.__main__.x"]\n'
    )
    if beside == "a pipe":
        os.mkfifo(folder / "pyproject.toml")
    else:
        text = (
            "[" * 50_000
            if beside == "brackets"
            else f'{entries}[tool.grade.adapter.files]\n"engine.py" = "engine.py"\n'
        )
        (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    told = run("1", "--at", ".", cwd=folder)
    assert (told.returncode, told.stderr) == (1, "")
    if beside == "a pipe":
        return
    # who names it is told what is wrong with it
    told = run("1", "--at", ".", "--adapter", "pyproject.toml", cwd=folder)
    assert told.returncode == 2
    assert "the grader failed" not in told.stderr
    assert "pyproject.toml" in told.stderr


def test_an_adapter_is_not_written_through_a_link(micrograd: Path, tmp_path: Path) -> None:
    (micrograd / "adapter.toml").unlink(missing_ok=True)
    (micrograd / "adapter.toml").symlink_to(tmp_path / "elsewhere")
    for words in (["adapt", "."], ["adapt", ".", "--force"]):
        told = run(*words, cwd=micrograd)
        assert (told.returncode, "already exists" in told.stderr) == (2, True)
    assert not (tmp_path / "elsewhere").exists()


RIGHT_ENGINE = (HERE / "right" / "micrograd.py").read_text(encoding="utf-8")
FREES = """            v._backward()
        if not keep:
            for v in topo:
                v._prev, v._backward = set(), lambda: None
"""
KEEPS = RIGHT_ENGINE.replace("def backward(self):", "def backward(self, keep=False):").replace(
    "            v._backward()\n", FREES
)
ADAPTER = """
class = "Value"
make = "Value({})"
data = "data"
gradient = "grad"
backward = "{}.backward()"

[files]
"engine.py" = "engine.py"
"""


@pytest.mark.parametrize(
    ("call", "unchanged"),
    [
        ("backward()", False),
        ("backward(keep=True)", True),
        ("backward(True)", True),
        ("backward(keep=None)", False),
    ],
)
def test_arguments_of_a_template_reach_the_engine(
    call: str, unchanged: bool, tmp_path: Path
) -> None:
    (tmp_path / "engine.py").write_text(KEEPS, encoding="utf-8")
    file = tmp_path / "adapter.toml"
    file.write_text(ADAPTER.replace("backward()", call), encoding="utf-8")
    second = next(
        c for c in grade(tmp_path, ("5.second-backward",), adapter=read_adapter(file)).checkpoints
    )
    assert (second.verdict is Verdict.PASSED) == unchanged
    if not unchanged:
        assert f".{call}" in second.reproduce


def test_keywords_of_a_constructor_are_in_the_lines_to_try(tmp_path: Path) -> None:
    broken = RIGHT_ENGINE.replace("self.data + other.data", "self.data - other.data").replace(
        '_op=""', '_op="", *, label=""'
    )
    (tmp_path / "engine.py").write_text(broken, encoding="utf-8")
    file = tmp_path / "adapter.toml"
    file.write_text(ADAPTER.replace("Value({})", "Value({}, label='x')"), encoding="utf-8")
    report = grade(tmp_path, ("2",), adapter=read_adapter(file))
    failing = next(c for c in report.checkpoints if c.verdict is Verdict.FAILED)
    assert failing.reproduce.startswith("from engine import Value\n")
    assert ", label='x')" in failing.reproduce


@pytest.mark.parametrize(
    ("key", "text"), [("+", "add({})"), ("neg", "neg({}, {})"), ("tanh", "tanh({}, {})")]
)
def test_a_call_with_the_wrong_number_of_operands_is_wrong_usage(
    key: str, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "adapter.toml"
    file.write_text(f'{ADAPTER}[calls]\n"{key}" = "{text}"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="it must contain"):
        read_adapter(file)


def test_a_package_without_an_init_file_is_imported_from_above(tmp_path: Path) -> None:
    core = tmp_path / "src" / "core"
    core.mkdir(parents=True)
    (core / "__init__.py").touch()
    (tmp_path / "src" / "base.py").write_text("class Base:\n    pass\n", encoding="utf-8")
    (core / "value.py").write_text(
        "from src.base import Base\n" + RIGHT_ENGINE.replace("class Value:", "class Value(Base):"),
        encoding="utf-8",
    )
    adapter, text = adapted(core / "value.py", tmp_path)
    assert '"engine.py" = "src/core/value.py"' in text
    for path in (core / "value.py", core, tmp_path):
        assert failed(grade(path, ("2",), adapter=adapter)) == set()


def test_an_adapter_does_not_lead_out_of_what_is_graded(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(RIGHT_ENGINE, encoding="utf-8")
    (tmp_path / "ada").mkdir()
    file = tmp_path / "adapter.toml"
    file.write_text(ADAPTER, encoding="utf-8")
    with pytest.raises(UsageError, match="which does not exist"):
        grade(tmp_path / "ada", ("2",), adapter=read_adapter(file))


def test_packages_are_provided_on_request_and_others_are_named(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    (tmp_path / "engine.py").write_text(
        f"import numpy as np\nimport not_there\n{RIGHT_ENGINE}\n    def tanh(self):\n        return"
        " Value(np.tanh(self.data))\n",
        encoding="utf-8",
    )
    engine = find_engine(load_course(), tmp_path, tmp_path, ProcessHost(), ["numpy"])
    assert engine.adapter.packages == ("numpy",)
    (note,) = engine.notes
    assert note.endswith("to provide it: --package not_there")


def test_a_folder_nearby_may_vanish_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "engine.py").write_text(RIGHT_ENGINE, encoding="utf-8")
    (tmp_path / "gone").mkdir()
    listed = os.scandir

    def scandir(path: str | os.PathLike[str]) -> object:
        if Path(path).name == "gone":
            raise FileNotFoundError(path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert find_engine(load_course(), tmp_path, tmp_path, ProcessHost()).adapter.owner == "Value"


def test_the_kit_itself_is_never_provided(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(f"import grader\n{RIGHT_ENGINE}", encoding="utf-8")
    assert find_engine(load_course(), tmp_path, tmp_path, ProcessHost()).adapter.packages == ()


def test_a_notebook_is_adapted_and_graded_as_a_file_is(tmp_path: Path) -> None:
    cells: list[object] = [
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for source in (RIGHT_ENGINE, "%pip install x", "1 / 0")
    ]
    file = tmp_path / "my engine.v2.ipynb"
    file.write_text(
        json.dumps(
            {
                "cells": cells,
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
                "padding": "x" * (300 << 10),
            }
        ),
        encoding="utf-8",
    )
    adapter, text = adapted(file, tmp_path)
    assert '"engine.py" = "my engine.v2.ipynb"' in text
    report = grade(file, ("2-5",), adapter=adapter)
    assert failed(report) == set()
    assert (
        next(c for c in report.checkpoints if c.id == "phase4.random-graphs").verdict
        is Verdict.PASSED
    )


WRONG_SUMS = RIGHT_ENGINE.replace("self.data + other.data", "self.data - other.data")
NOT_ENGINES = {
    "x = 1\n": ("defines no class", "name the file"),
    "class A:\n    def __init__(self, x):\n        self.x = x\n": (
        "a + b raises TypeError: unsupported operand",
        "by hand",
    ),
    "class A:\n    pass\n": ("no class makes nodes from numbers", "by hand"),
    WRONG_SUMS.replace("self.data * other.data", "self.data * other.dta"): (
        "no class makes nodes from numbers that can be added or multiplied",
        "by hand",
    ),
    WRONG_SUMS.replace("self.data * other.data", "self.data + other.data"): (
        "no class makes nodes from numbers that can be added or multiplied",
        "by hand",
    ),
    RIGHT_ENGINE.replace("build_topo(self)", "build_topo(selff)"): (
        "c.backward() raises NameError: name 'selff' is not defined (engine.py:",
        "by hand",
    ),
    "import graphviz_is_not_there\n"
    + RIGHT_ENGINE.replace("def backward(", "def other(").replace("v._backward()", "pass"): (
        "have a backward pass",
        "by hand",
    ),
    "import time\nwhile True:\n    time.time()\n": (
        "importing engine.py does not end (engine.py:",
        "__main__",
    ),
    "get_ipython().run_line_magic('matplotlib', 'inline')\n": (
        "raises NameError: name 'get_ipython' is not defined (engine.py:1",
        "fix that line",
    ),
    "def f(:\n": (
        "fails because it is not valid Python: invalid syntax (engine.py:1: def f(:)",
        "fix that line",
    ),
    "import sys\nsys.exit(3)\n": (
        "importing engine.py exits Python (engine.py:2, in <module>: sys.exit(3))",
        "__main__",
    ),
}


@pytest.mark.parametrize("source", NOT_ENGINES, ids=[told[0][:40] for told in NOT_ENGINES.values()])
def test_a_refusal_names_the_cause_and_its_line(source: str, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    with pytest.raises(UsageError) as met:
        find_engine(load_course(), tmp_path / "engine.py", tmp_path, ProcessHost())
    told, hint = NOT_ENGINES[source]
    assert told in met.value.message
    assert hint in met.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_no_file_is_read_through_a_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "engine.py").write_text("class Value: pass")
    (tmp_path / "mallory").mkdir()
    (tmp_path / "mallory" / "sub").symlink_to("../ada")
    adapter = Adapter(
        "adapter.toml",
        {"engine.py": "sub/engine.py"},
        "Value",
        template("Value({})", "make"),
        template("{}.backward()", "backward"),
    )
    with pytest.raises(SubmissionError, match="mallory/sub' is a link"):
        read_foreign(tmp_path / "mallory", adapter)


def test_a_file_next_to_the_graded_folder_is_somebody_elses(tmp_path: Path) -> None:
    for learner in ("ada", "mallory"):
        (tmp_path / learner).mkdir()
        (tmp_path / learner / "__init__.py").touch()
        (tmp_path / learner / "engine.py").write_text("class Value: pass")
    (tmp_path / "zoe.py").write_text("class Value: pass")
    adapter = Adapter(
        "adapter.toml",
        {"engine.py": "mallory/engine.py"},
        "Value",
        template("Value({})", "make"),
        template("{}.backward()", "backward"),
    )
    for given in ("mallory", "mallory/engine.py"):
        found = read_foreign(tmp_path, adapter, given=tmp_path / given)
        assert {file.module for file in found.files} == {"mallory", "mallory.engine"}
    found = read_foreign(tmp_path, adapter, given=tmp_path)
    assert "zoe" in {file.module for file in found.files}


def test_thousands_of_folders_are_not_walked(tmp_path: Path) -> None:
    for number in range(2_100):
        (tmp_path / f"d{number}").mkdir()
    (tmp_path / "d0" / "first.py").touch()
    (tmp_path / "d9999").mkdir()
    (tmp_path / "d9999" / "last.py").touch()
    (tmp_path / "engine.py").touch()
    assert python_files(tmp_path) == ["engine.py", "d0/first.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_an_adapter_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "adapter.toml")
    with pytest.raises(UsageError, match="too large, or not a regular file"):
        read_adapter(tmp_path / "adapter.toml")


def test_an_adapter_is_read_up_to_a_bound(tmp_path: Path) -> None:
    with (tmp_path / "adapter.toml").open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(UsageError, match="too large, or not a regular file"):
        read_adapter(tmp_path / "adapter.toml")
