"""Engines with conventions of their own: what adapt finds, and what is not asked of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.model import Verdict
from support import hand_in, put, tells, there, touch
from support.adapting import adapt_and_grade, adapted, failed, passed, with_verdict
from support.command import run
from support.golden import unpacked
from support.grading import by_id, grade

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


IN_A_TABLE = re.sub(
    r"(\w+)\.grad\b",
    r"TABLE[\1]",
    changed(
        ("class Value:", "TABLE = {}\n\n\nclass Value:"),
        (SEED, f"        TABLE.update(dict.fromkeys(TABLE, 0.0))\n{SEED}"),
    ),
).replace("    def __add__", "    grad = property(TABLE.get)\n\n    def __add__", 1)

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
    "a table, which is cleared": (IN_A_TABLE, "clears = true", REPEATED),
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


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_engine_with_other_conventions_fails_nothing(name: str, tmp_path: Path) -> None:
    source, line, not_asked = RIGHT[name]
    text, report = adapt_and_grade(hand_in(tmp_path, source) / "engine.py", tmp_path)
    assert line in text
    assert failed(report) == set()
    asked = {*REPEATED, "phase2.backward", "phase3.times-backward", "phase4.seed", "phase4.deep"}
    assert asked - passed(report) == not_asked


def test_a_function_makes_no_leaf(tmp_path: Path) -> None:
    log = """

def log(x):
    out = Value(math.log(x.data), (x,))

    def step():
        x.grad += out.grad / x.data

    out._backward = step
    return out
"""
    hand_in(tmp_path, RIGHT["clears after"][0] + log)
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path, "ext1")[1]
    assert failed(report) == set()
    assert "ext1.log-backward" in passed(report)


def test_a_function_that_gives_no_number_is_not_the_logarithm(tmp_path: Path) -> None:
    hand_in(tmp_path, f"{ENGINE}\n\ndef log(message):\n    print(message)\n")
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path, "ext1")
    assert "log" not in text
    assert failed(report) == set()


@pytest.mark.parametrize(
    ("fails", "source", "passes"),
    [
        ("phase3.times-backward", changed(("+= other.data", "+= other.grad")), "phase2.backward"),
        (
            "phase3.times",
            changed(("self.data * other.data", "self.data + other.data")),
            "phase2.backward",
        ),
        (
            "phase3.number-times",
            changed(("self.data * other.data", "self.data * other.dta")),
            "phase2.backward",
        ),
        ("phase2.backward", changed((LOOP, LOOP + LOOP)), "phase2.forward"),
        (
            "phase6.tanh-backward",
            RIGHT["float32"][0].replace("(1 - out.data**2)", "(0.99 - out.data**2)"),
            "phase6.tanh",
        ),
    ],
)
def test_an_engine_with_a_wrong_operation_is_adapted_and_graded(
    fails: str, source: str, passes: str, tmp_path: Path
) -> None:
    report = adapt_and_grade(hand_in(tmp_path, source) / "engine.py", tmp_path)[1]
    assert fails in with_verdict(report, Verdict.FAILED)
    assert passes in passed(report)


PROVIDED = """
    def __getattr__(self, name):
        if name in ("tanh", "sin"):
            return self.squash if name == "tanh" else self.wave
        raise AttributeError(name)

    def wave(self):
        out = Value(math.sin(self.data), (self,), "sin")

        def _backward():
            self.grad += math.cos(self.data) * out.grad

        out._backward = _backward
        return out
"""


LOG = """
{0}def {1}(self):
{0}    out = Value(math.log(self.data), (self,), "log")

{0}    def _backward():
{0}        self.grad += out.grad / self.data

{0}    out._backward = _backward
{0}    return out
"""


@pytest.mark.parametrize(
    ("source", "passes"),
    [
        (changed(("def tanh(", "def squash(")) + PROVIDED, "phase6.tanh-backward"),
        (ENGINE + PROVIDED, "ext1.sin-backward"),
        (ENGINE + LOG.format("", "log"), "ext1.log-backward"),
        (ENGINE + LOG.format("    ", "ln"), "ext1.log-backward"),
    ],
)
def test_a_function_is_found_in_any_form(source: str, passes: str, tmp_path: Path) -> None:
    report = adapt_and_grade(hand_in(tmp_path, source) / "engine.py", tmp_path, passes)[1]
    assert passed(report) == {passes}


def test_a_package_may_bring_its_class_and_its_functions_together(tmp_path: Path) -> None:
    log = f"import math\n\nfrom ag.value import Value\n{LOG.format('', 'log')}"
    both = "from ag.ops import log\nfrom ag.value import Value\n"
    put(tmp_path / "ag", {"value.py": ENGINE, "ops.py": log, "__init__.py": both})
    text, report = adapt_and_grade(tmp_path / "ag" / "__init__.py", tmp_path, "ext1.log-backward")
    assert '"engine.py" = "ag/__init__.py"' in text
    assert passed(report) == {"ext1.log-backward"}


OTHER_NAMES = ("Value", "Var"), (".data", ".value"), (".grad", ".slope")


@pytest.mark.parametrize(
    ("fails", "source", "line"),
    [
        (
            "phase3.number-minus",
            changed(
                ("return other + (-self)", "return self - other"), ("(self.data >= 0)", "self.data")
            ),
            "return self - other",
        ),
        (
            "phase3.power-backward",
            changed(("(exponent - 1) * out.grad", "(exponent - 1)"), *OTHER_NAMES),
            "self.slope += exponent * self.value ** (exponent - 1)",
        ),
    ],
)
def test_the_line_is_proven_beside_other_mistakes_and_with_other_names(
    fails: str, source: str, line: str, tmp_path: Path
) -> None:
    adapter, _ = adapted(hand_in(tmp_path, source), tmp_path)
    report = grade(tmp_path, ("1-6",), adapter=adapter, prove=1)
    assert there(by_id(report)[fails].where).source == line


def test_a_failure_without_a_line_shows_what_was_run_and_how_to_see_more(tmp_path: Path) -> None:
    source = (FOREIGN.parent / "wrong" / "preorder.py").read_text(encoding="utf-8")
    hand_in(tmp_path, source)
    run("adapt", ".", cwd=tmp_path)
    told = run("all", "--at", ".", "--adapter", "adapter.toml", cwd=tmp_path).stdout
    tells(told, ".grad)  # gives ", " more failed: add -v\n")


@pytest.mark.parametrize(
    "leaf", ["", "        if not _children:\n            self.number = data\n"]
)
def test_methods_may_return_the_number_and_the_gradient(leaf: str, tmp_path: Path) -> None:
    source = changed(
        (
            "        self.data = data\n        self.grad = 0.0\n",
            f"        self._all = [data, 0.0]\n{leaf}",
        ),
        (".data", "._all[0]"),
        (".grad", "._all[1]"),
    )
    names = {"data": "_all[0]", "grad": "_all[1]", "as_given": "number"}
    methods = [f"    def {n}(self):\n        return self.{a}\n" for n, a in names.items()]
    hand_in(tmp_path, "\n".join([source, *methods]))
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    tells(text, 'data = "data()"', 'gradient = "grad()"')
    assert failed(report) == set()
    assert "phase4.random-graphs" in passed(report)


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
    for init in (package, package.parent) if "/" in folder else (package,):
        touch(init / "__init__.py", text="")
    touch(package / "ops.py", text="class Ops:\n    pass\n")
    base = "ops.Ops" if style == "import ops" else "Ops"
    hand_in(package, changed(("class Value:", f"{style}\n\n\nclass Value({base}):")))
    report = adapt_and_grade(package / given, tmp_path)[1]
    assert failed(report) == set()
    assert not any("ops" in note for note in report.notes)


@pytest.mark.parametrize(
    "files",
    [
        {"ops.py": "", "engine.py": f"import ops\n{ENGINE}"},
        {"ag/__init__.py": "", "ag/ops.py": "", "ag/engine.py": f"from ag import ops\n{ENGINE}"},
    ],
    ids=["modules", "package"],
)
def test_the_next_command_names_a_path_that_leads_to_the_engine(
    files: dict[str, str], tmp_path: Path
) -> None:
    put(tmp_path / "src", files)
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
    hand_in(tmp_path, source)
    text, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert 'gradient = "grad.data"' in text
    assert failed(report) == set()
    assert "phase4.random-graphs" in passed(report)


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
    hand_in(tmp_path, source)
    _, report = adapt_and_grade(tmp_path / "engine.py", tmp_path)
    assert failed(report) == set()
    assert {"phase2.number-right", "phase3.times-backward"} <= passed(report)


def test_a_missing_method_is_not_blamed_for_an_exception_elsewhere(tmp_path: Path) -> None:
    slope = "self.grad += other.data"
    source = changed((slope, f"(None if self is other else float)(1)\n            {slope}"))
    hand_in(tmp_path, source)
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path)[1]
    square = by_id(report)["phase3.times-backward"].message
    assert square == "TypeError: 'NoneType' object is not callable"


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
    hand_in(tmp_path, source)
    report = adapt_and_grade(tmp_path / "engine.py", tmp_path)[1]
    assert by_id(report)["phase3.power"].message.startswith("ValueError: id=…, ")
