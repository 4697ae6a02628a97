"""Engines with conventions of their own: what adapt finds, and what is not asked of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.boundary.pool import ProcessHost
from grader.curriculum.load import load_course
from grader.intake.adapter import adapter_text, read_adapter
from grader.intake.foreign import root_of
from grader.learner.adapting.search import find_engine
from grader.model import Report, Verdict
from support.command import run
from support.golden import unpacked
from support.grading import grade

pytestmark = pytest.mark.slow

FOREIGN = unpacked("foreign") / "right"
SEED = "        self.grad = 1.0\n"
LOOP = "        for node in reversed(topo):\n            node._backward()\n"
ENGINE = (
    (FOREIGN / "seed_is_added.py")
    .read_text(encoding="utf-8")
    .replace("        self.grad += 1.0\n", SEED)
)
FREE = """        if {}:
            for node in topo:
                node._prev, node._backward = set(), {}
"""
CLEAR = "        for node in topo:\n            node.grad = {} if {} else node.grad\n"
DROP = """        for node in topo:
            if node._prev:
                del node.grad
"""
REFUSE = "        if {}:\n            raise RuntimeError('no second pass')\n"
SINGLE = """import struct


def single(number):
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.inf


class Value:"""
AGAIN = {"phase4.two-results", "phase5.second-backward"}
REPEATED = {*AGAIN, "phase5.accumulate"}


def changed(*changes: tuple[str, str]) -> str:
    """The engine after these replacements."""
    source = ENGINE
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return source


def takes(parameters: str) -> tuple[str, str]:
    return "def backward(self)", f"def backward(self, {parameters})"


# the engine, a line of its adapter, and the checkpoints that are not asked of it
RIGHT = {
    "retain_graph": (
        changed(
            takes("retain_graph=False"),
            (LOOP, LOOP + FREE.format("not retain_graph", "lambda: None")),
        ),
        'backward = "{}.backward(retain_graph=True)"',
        set(),
    ),
    "create_graph": (
        changed(
            takes("*, create_graph=None"), (LOOP, LOOP + FREE.format("not create_graph", "None"))
        ),
        'backward = "{}.backward(create_graph=True)"',
        set(),
    ),
    "free": (
        changed(takes("free=True"), (LOOP, LOOP + FREE.format("free", "lambda: None"))),
        'backward = "{}.backward(free=False)"',
        set(),
    ),
    "zero": (
        changed(takes("zero=True"), (SEED, CLEAR.format("0.0", "zero") + SEED)),
        'backward = "{}.backward(zero=False)"',
        set(),
    ),
    "frees": (changed((LOOP, LOOP + FREE.format("True", "None"))), "", REPEATED),
    "refuses": (
        changed((LOOP, REFUSE.format("hasattr(self, 'done')") + f"        self.done = 1\n{LOOP}")),
        "",
        AGAIN,
    ),
    "refuses gradients": (
        changed((LOOP, REFUSE.format("any(node.grad for node in topo[:-1])") + LOOP)),
        "",
        REPEATED,
    ),
    "clears": (changed((SEED, CLEAR.format("0.0", "True") + SEED)), "clears = true", REPEATED),
    "clears new nodes": (
        changed((SEED, CLEAR.format("0.0", "vars(node).setdefault('by', self) is self") + SEED)),
        "clears = true",
        REPEATED,
    ),
    "clears before": (changed((SEED, CLEAR.format("0.0", "node._prev") + SEED)), "", set()),
    "clears after": (
        changed((LOOP, LOOP + CLEAR.format("0.0", "node._prev"))),
        "intermediate = false",
        set(),
    ),
    "deletes after": (
        changed(
            (LOOP, LOOP + CLEAR.format("None", "node._prev")),
            (SEED, CLEAR.format("0.0", "node.grad is None") + SEED),
        ),
        "intermediate = false",
        set(),
    ),
    "drops after": (
        changed((LOOP, LOOP + DROP), (SEED, CLEAR.format("0.0", "node._prev") + SEED)),
        "intermediate = false",
        set(),
    ),
    "static": (
        changed(("    def tanh(", "    @staticmethod\n    def tanh(")),
        '"tanh" = "Value.tanh({})"',
        set(),
    ),
    "float32": (
        changed(("class Value:", SINGLE), ("self.data = data", "self.data = single(data)")),
        'precision = "float32"',
        set(),
    ),
}


def adapt_and_grade(path: Path, folder: Path) -> tuple[str, Report]:
    """The adapter that is found, as text, and the report with it."""
    engine = find_engine(load_course(), path, root_of(path), ProcessHost())
    text = adapter_text(engine.adapter)
    (folder / "adapter.toml").write_text(text, encoding="utf-8")
    return text, grade(path, ("1-6",), adapter=read_adapter(folder / "adapter.toml"))


def with_verdict(report: Report, *verdicts: Verdict) -> set[str]:
    return {c.id for c in report.checkpoints if c.verdict in verdicts and not c.bonus}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_engine_with_other_conventions_fails_nothing(name: str, tmp_path: Path) -> None:
    source, line, not_asked = RIGHT[name]
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert line in text
    assert with_verdict(report, Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR) == set()
    asked = {*REPEATED, "phase2.backward", "phase3.times-backward", "phase4.seed", "phase4.deep"}
    assert asked - with_verdict(report, Verdict.PASSED) == not_asked


WRONG = {
    "phase3.times-backward": ("self.grad += other.data", "self.grad += other.grad"),
    "phase3.times": ("self.data * other.data", "self.data + other.data"),
    "phase3.number-times": ("self.data * other.data", "self.data * other.dta"),
}


@pytest.mark.parametrize("fails", WRONG)
def test_an_engine_with_wrong_products_is_adapted_and_graded(fails: str, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(changed(WRONG[fails]), encoding="utf-8")
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path)[1]
    failed = with_verdict(report, Verdict.FAILED)
    assert fails in failed
    assert not any(id.startswith("phase2") for id in failed)


def test_an_engine_that_doubles_every_gradient_is_adapted_and_graded(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(changed((LOOP, LOOP + LOOP)), encoding="utf-8")
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert 'gradient = "grad"' in text
    assert "phase2.backward" in with_verdict(report, Verdict.FAILED)


OTHER_NAMES = ("Value", "Var"), (".data", ".value"), (".grad", ".slope")
PROVEN = {
    "phase3.number-minus": (
        changed(
            ("return other + (-self)", "return self - other"), ("(self.data >= 0)", "self.data")
        ),
        "return self - other",
    ),
    "phase3.power-backward": (
        changed(("(exponent - 1) * out.grad", "(exponent - 1)"), *OTHER_NAMES),
        "self.slope += exponent * self.value ** (exponent - 1)",
    ),
}


@pytest.mark.parametrize("fails", PROVEN)
def test_the_line_is_proven_beside_other_mistakes_and_with_other_names(
    fails: str, tmp_path: Path
) -> None:
    source, line = PROVEN[fails]
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    engine = find_engine(load_course(), tmp_path, tmp_path, ProcessHost())
    (tmp_path / "adapter.toml").write_text(adapter_text(engine.adapter), encoding="utf-8")
    adapter = read_adapter(tmp_path / "adapter.toml")
    report = grade(tmp_path, ("1-6",), adapter=adapter, prove=1)
    found = next(c for c in report.checkpoints if c.id == fails)
    assert found.where is not None
    assert found.where.source == line


def test_a_failure_without_a_line_shows_what_was_run_and_how_to_see_more(tmp_path: Path) -> None:
    source = (FOREIGN.parent / "wrong" / "preorder.py").read_text(encoding="utf-8")
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    run("adapt", ".", cwd=tmp_path)
    told = run("all", "--at", ".", "--adapter", "adapter.toml", cwd=tmp_path).stdout
    assert ".grad)  # gives " in told
    assert " more failed: add -v\n" in told


def test_a_wrong_slope_fails_in_single_precision_too(tmp_path: Path) -> None:
    source = RIGHT["float32"][0].replace("(1 - out.data**2)", "(0.99 - out.data**2)")
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path)[1]
    assert "phase6.tanh-backward" in with_verdict(report, Verdict.FAILED)


def test_methods_may_return_the_number_and_the_gradient(tmp_path: Path) -> None:
    source = changed(
        (
            "        self.data = data\n        self.grad = 0.0\n",
            "        self._all = [data, 0.0]\n",
        ),
        (".data", "._all[0]"),
        (".grad", "._all[1]"),
    )
    names = {"data": 0, "grad": 1}
    methods = [f"    def {n}(self):\n        return self._all[{i}]\n" for n, i in names.items()]
    (tmp_path / "engine.py").write_text("\n".join([source, *methods]), encoding="utf-8")
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert 'data = "data()"' in text
    assert 'gradient = "grad()"' in text
    assert with_verdict(report, Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR) == set()
    assert "phase4.random-graphs" in with_verdict(report, Verdict.PASSED)


@pytest.mark.parametrize(
    ("folder", "given"),
    [
        ("micrograd-main", "."),
        ("micrograd-main", "engine.py"),
        ("138_x/src", "."),
        ("a", "engine.py"),
    ],
)
@pytest.mark.parametrize("style", ["import ops", "from ops import Ops", "from .ops import Ops"])
def test_a_package_of_any_name_is_imported_as_its_files_do(
    folder: str, given: str, style: str, tmp_path: Path
) -> None:
    package = tmp_path / folder
    package.mkdir(parents=True)
    for init in (package, package.parent) if "/" in folder else (package,):
        (init / "__init__.py").touch()
    (package / "ops.py").write_text("class Ops:\n    pass\n", encoding="utf-8")
    base = "ops.Ops" if style == "import ops" else "Ops"
    source = changed(("class Value:", f"{style}\n\n\nclass Value({base}):"))
    (package / "engine.py").write_text(source, encoding="utf-8")
    report = adapt_and_grade(package / given, tmp_path)[1]
    assert with_verdict(report, Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR) == set()
    assert not any("ops" in note for note in report.notes)


def test_the_next_command_names_a_path_that_leads_to_the_engine(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "ops.py").write_text("", encoding="utf-8")
    (tmp_path / "src" / "engine.py").write_text(f"import ops\n{ENGINE}", encoding="utf-8")
    told = run("adapt", ".", cwd=tmp_path).stdout
    words = told.rpartition("next: grade ")[2].split()
    assert run("2", *words[1:], cwd=tmp_path).stderr == ""


@pytest.mark.parametrize("before", ["self.grad = None", "pass"], ids=["None", "missing"])
def test_a_gradient_may_be_a_node(before: str, tmp_path: Path) -> None:
    source = f"""
class Var:
    def __init__(self, data, parents=()):
        self.data, self.parents = data, parents
        {before}

    def __add__(self, other):
        return Var(self.data + other.data, ((self, Var(1.0)), (other, Var(1.0))))

    def __mul__(self, other):
        return Var(self.data * other.data, ((self, other), (other, self)))

    def backward(self):
        order = []

        def visit(node):
            if node not in order:
                for parent, _ in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = Var(1.0)
        for node in reversed(order):
            for parent, slope in node.parents:
                share = slope * node.grad
                old = getattr(parent, "grad", None)
                parent.grad = share if old is None else old + share
"""
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert 'gradient = "grad.data"' in text
    assert with_verdict(report, Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR) == set()
    assert "phase4.random-graphs" in with_verdict(report, Verdict.PASSED)


@pytest.mark.parametrize("indent", ["    ", ""], ids=["methods", "functions"])
def test_operations_may_take_plain_numbers_on_the_right_only(indent: str, tmp_path: Path) -> None:
    operations = f"""
{indent}def add(self, other):
{indent}    other = other if isinstance(other, Node) else Node(other)
{indent}    return Node(self.value + other.value, ((self, 1.0), (other, 1.0)))

{indent}def mul(self, other):
{indent}    other = other if isinstance(other, Node) else Node(other)
{indent}    return Node(self.value * other.value, ((self, other.value), (other, self.value)))
"""
    source = f"""
class Node:
    def __init__(self, value, parents=()):
        self.value, self.parents, self.slope = value, parents, 0.0

    def backprop(self):
        order = []

        def visit(node):
            if node not in order:
                for parent, _ in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.slope = 1.0
        for node in reversed(order):
            for parent, slope in node.parents:
                parent.slope += slope * node.slope

{operations}"""
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    _, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert with_verdict(report, Verdict.FAILED, Verdict.BLOCKED, Verdict.ERROR) == set()
    assert {"phase2.number-right", "phase3.times-backward"} <= with_verdict(report, Verdict.PASSED)


def test_a_missing_method_is_not_blamed_for_an_exception_elsewhere(tmp_path: Path) -> None:
    slope = "self.grad += other.data"
    source = changed((slope, f"(None if self is other else float)(1)\n            {slope}"))
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path)[1]
    square = next(c for c in report.checkpoints if c.id == "phase3.times-backward")
    assert square.message == "TypeError: 'NoneType' object is not callable"


def test_an_identity_in_a_message_is_hidden(tmp_path: Path) -> None:
    source = changed(
        ("self.data**exponent,", "self.data**self.refused(exponent),"),
        (
            "    def __neg__",
            (
                "    def refused(self, n):\n        raise ValueError(f'id={id(self)}, {n}')\n\n"
                "    def __neg__"
            ),
        ),
    )
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path)[1]
    power = next(c for c in report.checkpoints if c.id == "phase3.power")
    assert power.message.startswith("ValueError: id=…, ")
