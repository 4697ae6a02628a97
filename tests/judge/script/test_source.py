"""What a learner is told to paste must run, and show what the report says."""

from __future__ import annotations

import ast
import code
import contextlib
import io
import sys
from pathlib import Path

import pytest

from grader.judge.script.source import Listing
from grader.judge.script.steps import (
    Apply,
    Builtin,
    Call,
    Define,
    Make,
    Put,
    Repeat,
    Step,
    Walk,
    slice_for,
)
from grader.worker.protocol import Ref
from support import kit_folder
from support.grading import grade

A, B, C, D = (Ref(n) for n in range(1, 5))


def listed(
    steps: list[Step],
    shown: Ref | None = None,
    attribute: str = "",
    names: dict[Ref, str] | None = None,
) -> list[str]:
    keep = {shown} if shown is not None else set()
    return (
        Listing(steps, names or {A: "a", B: "b"}, keep, {})
        .text("engine", shown, attribute, "")
        .splitlines()[1:]
    )


LEAVES: list[Step] = [Make(A, "Value", [2.0]), Make(B, "Value", [3.0])]
WRITTEN = ["a = Value(2.0)", "b = Value(3.0)"]


def test_a_result_used_once_is_written_where_it_is_used() -> None:
    steps = [*LEAVES, Apply(C, "+", [A, B]), Apply(D, "*", [C, A])]
    assert listed(steps, D, "data") == [*WRITTEN, "c = (a + b) * a", "print(c.data)"]


def test_a_result_used_twice_gets_a_name() -> None:
    steps = [*LEAVES, Apply(C, "+", [A, B]), Apply(D, "*", [C, C])]
    assert listed(steps, D, "data") == [*WRITTEN, "c = a + b", "d = c * c", "print(d.data)"]


def test_a_list_is_written_as_a_list() -> None:
    steps = [*LEAVES, Builtin(C, "list", [[A, B]]), Builtin(D, "list", [C])]
    assert listed(steps, D) == [*WRITTEN, "c = [a, b]", "d = list(c)", "print(d)"]


@pytest.mark.parametrize(
    ("op", "args", "text"),
    [
        ("-", [A, -3.0], "a - (-3.0)"),
        ("**", [A, -1], "a ** (-1)"),
        ("neg", [A], "-a"),
        ("/", [2, A], "2 / a"),
    ],
)
def test_operators_read_as_a_learner_writes_them(
    op: str, args: list[float | Ref], text: str
) -> None:
    assert listed([LEAVES[0], Apply(C, op, args)], C) == [WRITTEN[0], f"c = {text}", "print(c)"]  # type: ignore[arg-type]


def test_brackets_stand_where_python_needs_them() -> None:
    steps = [*LEAVES, Apply(C, "-", [A, B]), Apply(D, "-", [A, C])]
    assert listed(steps, D)[-2] == "c = a - (a - b)"
    steps = [LEAVES[0], Apply(C, "neg", [A]), Apply(D, "**", [C, 2])]
    assert listed(steps, D)[-2] == "c = (-a) ** 2"


def test_a_loop_is_a_loop() -> None:
    steps = [LEAVES[0], Repeat(C, 40, "+", A, None), Call(D, C, "backward", [])]
    assert listed(steps, A, "grad") == [
        WRITTEN[0],
        "c = a",
        "for _ in range(40):",
        "    c = c + c",
        "c.backward()",
        "print(a.grad)",
    ]


def test_a_class_of_the_suite_can_be_pasted_into_a_shell() -> None:
    """There an empty line ends a class: none stands inside, one stands behind."""
    source = "class Tensor:\n    data = 1.0\n\n    def item(self):\n        return 2.0\n"
    steps: list[Step] = [
        Define(A, "Tensor", source),
        Call(B, A, "__call__", []),
        Make(C, "plain", [B]),
    ]
    lines = listed(steps, C, names={C: "number"})
    assert lines == [
        "class Tensor:",
        "    data = 1.0",
        "    def item(self):",
        "        return 2.0",
        "",
        "c = Tensor()",
        "number = plain(c)",
        "print(number)",
    ]
    shell = code.InteractiveConsole({"plain": lambda thing: thing.item()})
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert not [line for line in lines if shell.push(line) and line.startswith("print")]
    assert printed.getvalue() == "2.0\n"


def test_only_what_bears_on_the_failure_is_shown() -> None:
    other: list[Step] = [Make(C, "Value", [9.0]), Apply(D, "+", [C, C])]
    assert slice_for([*LEAVES, *other, Apply(Ref(9), "+", [A, B])], A) == [
        *LEAVES,
        Apply(Ref(9), "+", [A, B]),
    ]


def test_an_operation_of_one_node_is_written_without_a_helper() -> None:
    steps = [
        *LEAVES,
        Apply(C, "+", [A, B]),
        Put(C, "grad", 3.0),
        Walk(C, "_prev", "_backward", [A, B]),
    ]
    assert listed(steps, A, "grad") == [
        *WRITTEN,
        "c = a + b",
        "c.grad = 3.0",
        "c._backward()",
        "print(a.grad)",
    ]


FAULTS = {
    "adds": ("self.grad += other.data * out.grad", "self.grad += other.data + out.grad"),
    "reversed": ("return other + (-self)", "return self + (-other)"),
    "divides": ("return other * self**-1", "return self * other**-1"),
    "not callable": ("self._backward = lambda: None", "self._backward = None"),
    "other sign": ('(self, other), "*")', '(self, other), "+")'),
    "nameless": ("self._op = _op", 'self._op = ""'),
    "half": ("self.grad += exponent * self.data", "self.grad += 0.5 * exponent * self.data"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_the_lines_of_a_report_show_what_it_says(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every listing of a wrong number, run here, prints the number that the report gives.

    These faults do not depend on the order of a set, which may be another one here.
    """
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    old, new = FAULTS[fault]
    assert old in source
    (tmp_path / "engine.py").write_text(source.replace(old, new), encoding="utf-8")
    report = grade(tmp_path, ["1-5"])
    told = [
        r.reproduce
        for r in report.checkpoints
        if "# gives" in r.reproduce and "40" not in r.reproduce
    ]
    assert told
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "engine", raising=False)
    for script in told:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(script, "script", "exec"), {})
        gives = script.partition("# gives ")[2].partition(", should give ")[0]
        assert same(printed.getvalue().strip(), gives.strip("'")), script
    monkeypatch.delitem(sys.modules, "engine", raising=False)


def same(printed: str, told: str) -> bool:
    """Whether the text is the one, or the number, of which ten digits are told."""
    return printed == told or (told[-1:].isdigit() and float(printed) == pytest.approx(float(told)))


LAST_LINES = [
    (
        "engine.py",
        "set(_children)",
        "set()",
        "phase1.children",
        "print(c._prev)  # should be {a, b}",
    ),
    (
        "engine.py",
        "self * other**-1",
        "self * (other**-1 if other else 0)",
        "phase3.division-by-zero",
        "c = a / 0  # raises nothing, should raise ZeroDivisionError",
    ),
    (
        "engine.py",
        "if not isinstance(exponent, (int, float)):",
        "exponent = getattr(exponent, 'data', exponent)\n        if isinstance(exponent, str):",
        "phase3.power-refuses",
        "c = a ** b  # raises nothing, should raise a TypeError",
    ),
    (
        "engine.py",
        "return self * -1",
        "self.data = -self.data\n        return self",
        "phase3.negative",
        "print(c is a)  # gives True, should give False",
    ),
    (
        "nn.py",
        "[*self.w, self.b]",
        "self.w",
        "phase7.neuron-parameters",
        "print(len(c))  # gives 1, should give 2",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "id", "line"), LAST_LINES, ids=[row[3] for row in LAST_LINES]
)
def test_a_comment_describes_what_a_line_does_not_print(
    file: str, old: str, new: str, id: str, line: str, tmp_path: Path
) -> None:
    for name in ("engine.py", "nn.py"):
        source = (kit_folder("solutions") / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(
            source.replace(old, new) if name == file else source, encoding="utf-8"
        )
    reproduce = {
        result.id: result.reproduce
        for result in grade(tmp_path, [id.partition(".")[0]]).checkpoints
    }
    assert reproduce[id].splitlines()[-1] == line


@pytest.mark.slow
def test_a_watched_order_is_written_after_the_call(tmp_path: Path) -> None:
    """Nothing in the learner's shell holds it: the comment stands where it was made."""
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    source = source.replace("build_topo", "in_order").replace(
        "reversed(topo)", "sorted(topo, key=lambda node: -node.data)"
    )
    (tmp_path / "engine.py").write_text(source, encoding="utf-8")
    order, *_ = grade(tmp_path, ["phase4"]).checkpoints
    assert order.id == "phase4.order"
    assert order.reproduce.splitlines()[-1] == "f.backward()  # should be operands before results"


def test_a_long_list_of_points_is_broken_between_two_points() -> None:
    points = [[n / 4, -1.0] for n in range(12)]
    step = Make(Ref(1), "train", [points, 0.5], [])  # type: ignore[list-item]
    listing = Listing([step], {}, {Ref(1)}, {})
    lines = listing.lines("train")[1:]
    assert max(map(len, lines)) <= 72
    assert all(line.count("[") - line.count("]") in {-1, 0, 1} for line in lines)
    assert ast.literal_eval(" ".join(lines).partition("train")[2]) == (points, 0.5)
