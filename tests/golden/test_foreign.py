"""Engines that were not written for this course: found by trying, graded through their adapters,
right ones and faulty ones.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.errors import SubmissionError, UsageError
from grader.intake.adapter import Adapter, read_adapter, template
from grader.intake.foreign import python_files, read_foreign, root_of
from grader.learner.adapting.search import find_engine
from grader.model import Verdict
from support import hand_in, put, tells, there, touch
from support.adapting import adapt_and_grade, adapted, failed, passed, with_verdict
from support.command import run
from support.golden import unpacked
from support.grading import by_id, grade
from support.notebooks import notebook, saved
from support.story import Ran, edit, play

pytestmark = pytest.mark.slow
HERE = unpacked("foreign")
RIGHT_ENGINE = (HERE / "right" / "micrograd.py").read_text(encoding="utf-8")
RIGHT = sorted((HERE / "right").iterdir())
WRONG = {
    "assigns.py": "phase2.backward",
    "division_sign.py": "phase3.divided-backward",
    "equal_values.py": "phase2.backward",
    "preorder.py": "phase4.reused-intermediate",
    "reflected_minus.py": "phase3.number-minus",
    "tanh_nested.py": "phase6.tanh",
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


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.name)
def test_a_right_engine_of_any_style_fails_nothing(path: Path, tmp_path: Path) -> None:
    if "numpy" in path.name:
        pytest.importorskip("numpy")
    text, report = adapt_and_grade(path, tmp_path)
    tells(text, *FOUND.get(path.name, ()))
    assert failed(report) == set()
    assert {
        "phase2.backward",
        "phase3.times-backward",
        "phase4.reused-intermediate",
        "phase4.random-graphs",
        "phase5.diamond",
    } <= passed(report)
    assert any("through an adapter" in note for note in report.notes)


@pytest.mark.parametrize(
    ("name", "passes", "skipped"),
    [
        ("nodes_only.py", {"phase4.wide", "phase4.seed"}, {"phase2.sum"}),
        ("numbers_on_the_right_only.py", {"phase4.wide", "phase4.seed"}, {"phase2.sum"}),
        ("seed_is_added.py", {"phase4.seed"}, set()),
        ("read_only_data.py", {"phase1.data"}, set()),
        ("labels_double.py", {"phase4.doubling"}, set()),
    ],
)
def test_only_what_an_engine_can_have_is_asked(
    tmp_path: Path, name: str, passes: set[str], skipped: set[str]
) -> None:
    report = adapt_and_grade(HERE / "right" / name, tmp_path, *passes, *skipped)[1]
    assert (passed(report), with_verdict(report, Verdict.NOT_STARTED)) == (passes, skipped)


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
    path, checkpoint = HERE / "wrong" / name, WRONG[name]
    report = grade(path, (checkpoint,), adapter=adapted(path, tmp_path)[0], prove=1)
    (result,) = report.checkpoints
    phase = checkpoint.partition(".")[0]
    proof = there(result.diagnosis).proof
    assert proof.endswith(f", everything you have for {phase} passes")
    assert there(result.where).source == line


def test_functions_of_the_course_may_be_methods_or_have_other_names(tmp_path: Path) -> None:
    path = HERE / "right" / "torch_beside_it.py"
    adapter, text = adapted(path, tmp_path)
    report = grade(path, ("ext1",), adapter=adapter)
    operations = {
        f"ext1.{name}"
        for name in (
            *("log", "log-backward", "sigmoid", "sigmoid-backward", "sin", "sin-backward"),
            *("inside", "used-twice", "random-graphs"),
        )
    }
    assert operations <= passed(report)
    assert {f"ext1.{name}" for name in ("cos", "log-edge", "sigmoid-far-out")} <= (
        with_verdict(report, Verdict.NOT_STARTED)
    )
    assert "this engine has no `cos`" in by_id(report)["ext1.cos"].message
    entries = text.replace("[files]", '[files]\n"operations.py" = "torch_beside_it.py"')
    touch(tmp_path / "more.toml", text=entries)
    report = grade(path, ("ext1",), adapter=read_adapter(tmp_path / "more.toml"))
    assert operations <= passed(report)

    wrong = path.read_text(encoding="utf-8").replace("s * (1 - s) * out.grad", "s * out.grad")
    touch(tmp_path / path.name, text=wrong)
    report = grade(tmp_path / path.name, ("ext1",), adapter=adapter)
    assert {"ext1.sigmoid-backward", "ext1.inside"} <= failed(report)
    assert "ext1.sigmoid" in passed(report)
    assert ".sigmoid()" in by_id(report)["ext1.sigmoid-backward"].reproduce


@pytest.mark.parametrize("name", WRONG)
def test_a_faulty_engine_is_caught(name: str, tmp_path: Path) -> None:
    path = HERE / "wrong" / name
    adapter, _ = adapted(path, tmp_path)
    caught = by_id(grade(path, (WRONG[name].partition(".")[0],), adapter=adapter))[WRONG[name]]
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
    hand_in(tmp_path, RIGHT_ENGINE.replace(old, new, 1))
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path, "3")[1]
    assert by_id(report)[checkpoint].verdict.value == verdict
    assert failed(report) == ({checkpoint} if verdict == "failed" else set())


def test_what_is_form_or_missing_is_not_started_and_says_so(tmp_path: Path) -> None:
    report = adapt_and_grade(HERE / "right" / "micrograd.py", tmp_path)[1]
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
    adapter, network = read_adapter(micrograd / "adapter.toml"), micrograd / "micrograd" / "nn.py"
    edit(network, "[p for layer in self.layers for p in layer.parameters()]", "self.each()")
    each = (
        "def each(self):\n        yield from (p for one in self.layers for p in one.parameters())"
    )
    touch(network, text=f"{network.read_text(encoding='utf-8')}\n    {each}\n")
    report = grade(micrograd, ("7",), adapter=adapter)
    assert failed(report) == set()
    assert len(passed(report)) == len(report.checkpoints) - 1  # not the numbers to begin with
    edit(network, "if self.nonlin", "if not self.nonlin")
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
            "'make' is \"Value\"; it must be a call with {}",
        ),
        (
            ('make = "Value({})"', 'make = "Value({}, {})"'),
            "'make' is 'Value({}, {})'; it must contain one {}",
        ),
        (
            ('data = "data"', 'data = "data(0)"'),
            "'data' is \"data(0)\"; it must be the name of an attribute or of a method",
        ),
        (
            ('"Neuron({})"', '"lambda: Neuron({})"'),
            "[networks]: 'Neuron' is \"lambda: Neuron({})\"; it must be a call with {}",
        ),
        (("micrograd/nn.py", "micrograd/net.py"), "which does not exist"),
        (("micrograd/nn.py", "../nn.py"), "[files]: 'nn.py' is \"../nn.py\""),
        (('"nn.py" =', '"net.py" ='), "[files]: this course has no 'net.py'"),
        (('"engine.py" = "micrograd/engine.py"', ""), "[files] does not say where 'engine.py' is"),
        (('"MLP" =', '"Mlp" ='), "[networks]: this course has no 'Mlp'"),
        (
            ("[networks]", '[calls]\ntahn = "tanh({})"\n[networks]'),
            "[calls]: this course has no 'tahn'",
        ),
        (("[files]", "[files"), "is not valid TOML"),
        (('gradient = "grad"', ""), "the key 'gradient' is missing"),
        (("[networks]", '[calls]\n"+" = "add({})"\n[networks]'), "it must contain"),
        (("[networks]", '[calls]\nneg = "neg({}, {})"\n[networks]'), "it must contain"),
        *(
            (('make = "Value({})"', f'make = "{text}"'), "it must be a call with {}")
            for text in ("f", "{}", "{}.a.b()", "f({})()", "f({}, x)", "f(*{})", "import os")
        ),
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


def test_the_command_line(micrograd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def as_a_table() -> None:
        text = Path("found.toml").read_text(encoding="utf-8")
        for inner in ("files", "calls"):
            text = text.replace(f"[{inner}]", f"[tool.grade.adapter.{inner}]")
        touch(Path("pyproject.toml"), text=f"[tool.grade.adapter]\n{text}")

    monkeypatch.chdir(micrograd)
    play(
        [
            Ran("adapt .", ["already exists"], code=2),
            Ran("adapt . --output found.toml", ["so not tested: zero_grad, tanh, exp"], code=0),
            Ran("4.first-graph --at . --adapter found.toml", ["1/1"], code=0),
            as_a_table,
            Ran("4.first-graph --at . --adapter pyproject.toml", ["1/1"], code=0),
            Ran("4 --at . --adapter nowhere.toml", ["hint:"], code=2),
            Ran("4 --adapter found.toml", ["hint:"], code=2),
            Ran("4 --at . --adapter found.toml --swap 1", ["hint:"], code=2),
            # nothing is written through a link
            Path("adapter.toml").unlink,
            lambda: Path("adapter.toml").symlink_to("elsewhere"),
            Ran("adapt .", ["already exists"], code=2),
            Ran("adapt . --force", ["already exists"], code=2),
        ]
    )
    assert not Path("elsewhere").exists()


TABLE = """[tool.grade.adapter]
class = "Value"
make = "Value({})"
data = "data"
gradient = "grad"
packages = ["numpy.f2py.__main__.x"]

[tool.grade.adapter.files]
"engine.py" = "engine.py"
"""
BESIDE: dict[str, Callable[[Path], object]] = {
    "an adapter": lambda file: file.write_text(TABLE),
    "brackets": lambda file: file.write_text("[" * 50_000),
    "a pipe": lambda file: os.mkfifo(file),  # noqa: PLW0108 - not everywhere, so looked up late
    "endless": lambda file: file.write_bytes(bytes(2 << 20)),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
@pytest.mark.parametrize("beside", BESIDE)
def test_files_next_to_an_engine_do_not_configure_its_grading(tmp_path: Path, beside: str) -> None:
    hand_in(tmp_path, "class Value: pass\n")
    BESIDE[beside](tmp_path / "pyproject.toml")
    told = run("1", "--at", ".", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (1, "")
    # who names it is told what is wrong with it
    told = run("1", "--at", ".", "--adapter", "pyproject.toml", cwd=tmp_path)
    assert told.returncode == 2
    tells(told.stderr, "pyproject.toml", hides=["the grader failed"])


ADAPTER = """
class = "Value"
make = "Value({})"
data = "data"
gradient = "grad"
backward = "{}.backward()"

[files]
"engine.py" = "engine.py"
"""


def test_keywords_of_a_constructor_are_in_the_lines_to_try(tmp_path: Path) -> None:
    broken = RIGHT_ENGINE.replace("self.data + other.data", "self.data - other.data").replace(
        '_op=""', '_op="", *, label=""'
    )
    hand_in(tmp_path, broken)
    hand_in(tmp_path, ADAPTER.replace("Value({})", "Value({}, label='x')"), "adapter.toml")
    report = grade(tmp_path, ("2",), adapter=read_adapter(tmp_path / "adapter.toml"))
    failing = next(c for c in report.checkpoints if c.verdict is Verdict.FAILED)
    assert failing.reproduce.startswith("from engine import Value\n")
    assert ", label='x')" in failing.reproduce


def test_a_package_without_an_init_file_is_imported_from_above(tmp_path: Path) -> None:
    core = tmp_path / "src" / "core"
    touch(core / "__init__.py", text="")
    touch(tmp_path / "src" / "base.py", text="class Base:\n    pass\n")
    based = RIGHT_ENGINE.replace("class Value:", "class Value(Base):")
    touch(core / "value.py", text=f"from src.base import Base\n{based}")
    adapter, text = adapted(core / "value.py", tmp_path)
    assert '"engine.py" = "src/core/value.py"' in text
    for path in (core / "value.py", core, tmp_path):
        assert failed(grade(path, ("2",), adapter=adapter)) == set()


def test_the_file_that_defines_the_class_of_the_results_comes_first(tmp_path: Path) -> None:
    bias = "from variable import Value\n\n\nclass Bias(Value):\n    pass\n"
    put(tmp_path, {"bias.py": bias, "variable.py": RIGHT_ENGINE})
    assert adapted(tmp_path, tmp_path)[0].files == {"engine.py": "variable.py"}
    assert adapted(tmp_path / "bias.py", tmp_path)[0].owner == "Bias"


def test_an_adapter_does_not_lead_out_of_what_is_graded(tmp_path: Path) -> None:
    put(tmp_path, {"engine.py": RIGHT_ENGINE, "adapter.toml": ADAPTER, "ada/empty": ""})
    with pytest.raises(UsageError, match="which does not exist"):
        grade(tmp_path / "ada", ("2",), adapter=read_adapter(tmp_path / "adapter.toml"))


def test_packages_are_provided_on_request_and_others_are_named(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    tanh = "    def tanh(self):\n        return Value(np.tanh(self.data))\n"
    hand_in(tmp_path, f"import numpy as np\nimport not_there\n{RIGHT_ENGINE}\n{tanh}")
    adapter, notes, _ = find_engine(load_course(), tmp_path, tmp_path, ProcessHost(), ["numpy"])
    assert adapter.packages == ("numpy",)
    assert notes[0].endswith("to provide it: --package not_there")


def test_the_kit_itself_is_never_provided(tmp_path: Path) -> None:
    hand_in(tmp_path, f"import grader\n{RIGHT_ENGINE}")
    adapter, *_ = find_engine(load_course(), tmp_path, tmp_path, ProcessHost())
    assert adapter.packages == ()


def test_a_notebook_is_adapted_and_graded_as_a_file_is(tmp_path: Path) -> None:
    pad = {"padding": "x" * (300 << 10)}
    book = notebook(RIGHT_ENGINE, "%pip install x", "1 / 0", metadata=pad)
    put(tmp_path, {"my engine.v2.ipynb": saved(book)})
    text, report = adapt_and_grade(tmp_path / "my engine.v2.ipynb", tmp_path, "2-5")
    assert '"engine.py" = "my engine.v2.ipynb"' in text
    assert failed(report) == set()
    assert "phase4.random-graphs" in passed(report)


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
        "fix that line",
    ),
    WRONG_SUMS.replace("self.data * other.data", "self.data + other.data"): (
        "no class makes nodes from numbers that can be added or multiplied",
        "by hand",
    ),
    RIGHT_ENGINE.replace("build_topo(self)", "build_topo(selff)"): (
        "c.backward() raises NameError: name 'selff' is not defined (engine.py:",
        "fix that line",
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
    hand_in(tmp_path, source)
    with pytest.raises(UsageError) as met:
        find_engine(load_course(), tmp_path / "engine.py", tmp_path, ProcessHost())
    told, hint = NOT_ENGINES[source]
    assert told in met.value.message
    assert hint in met.value.hint


def adapter_for(engine: str) -> Adapter:
    files = {"engine.py": engine}
    return Adapter("adapter.toml", files, "Value", template("Value({})"), "data", "grad")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_no_file_is_read_through_a_folder_that_is_a_link(tmp_path: Path) -> None:
    put(tmp_path, {"ada/engine.py": "class Value: pass", "mallory/empty": ""})
    (tmp_path / "mallory" / "sub").symlink_to("../ada")
    with pytest.raises(SubmissionError, match="mallory/sub' is a link"):
        read_foreign(tmp_path / "mallory", adapter_for("sub/engine.py"))


def test_a_file_next_to_the_graded_folder_is_somebody_elses(tmp_path: Path) -> None:
    for file in ("ada/engine.py", "mallory/__init__.py", "mallory/engine.py", "zoe.py"):
        touch(tmp_path / file, text="class Value: pass")
    adapter = adapter_for("mallory/engine.py")
    for given in ("mallory", "mallory/engine.py"):
        found = read_foreign(tmp_path, adapter, given=tmp_path / given)
        assert {file.module for file in found.files} == {"mallory", "mallory.engine"}
    found = read_foreign(tmp_path, adapter, given=tmp_path)
    assert "zoe" in {file.module for file in found.files}


def test_thousands_of_folders_are_not_walked(tmp_path: Path) -> None:
    for number in range(2_100):
        (tmp_path / f"d{number}").mkdir()
    touch(*(tmp_path / name for name in ("d0/first.py", "d9999/last.py", "engine.py")))
    assert python_files(tmp_path) == ["engine.py", "d0/first.py"]
