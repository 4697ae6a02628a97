"""What a learner is told to paste must run, and show what the report says."""

from __future__ import annotations

import ast
import code
import contextlib
import io
from pathlib import Path

import pytest

from grader.judge.script.source import Listing
from grader.judge.script.steps import Apply, Builtin, Call, Define, Make, Put, Repeat, Step, Walk
from grader.worker.protocol import Ref
from support.grading import by_id, grade
from support.mistakes import edited

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


WALK = [*LEAVES, Apply(C, "+", [A, B]), Put(C, "grad", 3.0), Walk(C, "_prev", "_backward", [A, B])]
LISTINGS: dict[str, tuple[list[Step], Ref, str, list[str]]] = {
    "a result used once is written where it is used": (
        [*LEAVES, Apply(C, "+", [A, B]), Apply(D, "*", [C, A])],
        D,
        "data",
        [*WRITTEN, "c = (a + b) * a", "print(c.data)"],
    ),
    "a result used twice gets a name": (
        [*LEAVES, Apply(C, "+", [A, B]), Apply(D, "*", [C, C])],
        D,
        "data",
        [*WRITTEN, "c = a + b", "d = c * c", "print(d.data)"],
    ),
    "a list is written as a list": (
        [*LEAVES, Builtin(C, "list", [[A, B]]), Builtin(D, "list", [C])],
        D,
        "",
        [*WRITTEN, "c = [a, b]", "d = list(c)", "print(d)"],
    ),
    "brackets around a difference": (
        [*LEAVES, Apply(C, "-", [A, B]), Apply(D, "-", [A, C])],
        D,
        "",
        [*WRITTEN, "c = a - (a - b)", "print(c)"],
    ),
    "brackets around a sign": (
        [LEAVES[0], Apply(C, "neg", [A]), Apply(D, "**", [C, 2])],
        D,
        "",
        [WRITTEN[0], "c = (-a) ** 2", "print(c)"],
    ),
    "a loop is a loop": (
        [LEAVES[0], Repeat(C, 40, "+", A, None), Call(D, C, "backward", [])],
        A,
        "grad",
        [
            WRITTEN[0],
            "c = a",
            "for _ in range(40):",
            "    c = c + c",
            "",
            "c.backward()",
            "print(a.grad)",
        ],
    ),
    "one step of one node is a call": (
        WALK,
        A,
        "grad",
        [*WRITTEN, "c = a + b", "c.grad = 3.0", "c._backward()", "print(a.grad)"],
    ),
    **{
        text: ([LEAVES[0], Apply(C, op, [*args])], C, "", [WRITTEN[0], f"c = {text}", "print(c)"])
        for text, op, args in (
            ("a - (-3.0)", "-", (A, -3.0)),
            ("a ** (-1)", "**", (A, -1)),
            ("-a", "neg", (A,)),
            ("2 / a", "/", (2, A)),
        )
    },
}


@pytest.mark.parametrize(("steps", "shown", "attribute", "lines"), LISTINGS.values(), ids=LISTINGS)
def test_a_script_is_written_as_a_learner_writes_it(
    steps: list[Step], shown: Ref, attribute: str, lines: list[str]
) -> None:
    assert listed(steps, shown, attribute) == lines


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


LAST_LINES = [
    (
        "engine.py",
        [("set(_children)", "set()")],
        "phase1.children",
        "print(c._prev)  # should be {a, b}",
    ),
    (
        "engine.py",
        [("self * other**-1", "self * (other**-1 if other else 0)")],
        "phase3.division-by-zero",
        "c = a / 0  # raises nothing, should raise ZeroDivisionError",
    ),
    (
        "engine.py",
        [
            (
                "if not isinstance(exponent, (int, float)):",
                (
                    "exponent = getattr(exponent, 'data', exponent)\n"
                    "        if isinstance(exponent, str):"
                ),
            )
        ],
        "phase3.power-refuses",
        "c = a ** b  # raises nothing, should raise a TypeError",
    ),
    (
        "engine.py",
        [("return self * -1", "self.data = -self.data\n        return self")],
        "phase3.negative",
        "print(c is a)  # gives True, should give False",
    ),
    (
        "nn.py",
        [("[*self.w, self.b]", "self.w")],
        "phase7.neuron-parameters",
        "print(len(c))  # gives 1, should give 2",
    ),
    (  # nothing in the learner's shell holds the order that was watched
        "engine.py",
        [
            ("build_topo", "in_order"),
            ("reversed(topo)", "sorted(topo, key=lambda node: -node.data)"),
        ],
        "phase4.order",
        "f.backward()  # should be operands before results",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "changes", "id", "line"), LAST_LINES, ids=[row[2] for row in LAST_LINES]
)
def test_a_comment_describes_what_a_line_does_not_print(
    file: str, changes: list[tuple[str, str]], id: str, line: str, tmp_path: Path
) -> None:
    report = grade(edited(tmp_path, file, *changes), [id.partition(".")[0]])
    assert by_id(report)[id].reproduce.splitlines()[-1] == line


def test_a_long_list_of_points_is_broken_between_two_points() -> None:
    points = [[n / 4, -1.0] for n in range(12)]
    step = Make(Ref(1), "train", [points, 0.5], [])  # type: ignore[list-item]
    lines = Listing([step], {}, {Ref(1)}, {}).lines("train")[1:]
    assert max(map(len, lines)) <= 72
    assert all(line.count("[") - line.count("]") in {-1, 0, 1} for line in lines)
    assert ast.literal_eval(" ".join(lines).partition("train")[2]) == (points, 0.5)
