"""`grade trace`: what is read, what is seen of right and of faulty engines, and what the terminal
and the files show.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.console import Console

from grader.errors import CannotRun, UsageError
from grader.judge.oracle.expressions import parse
from grader.learner.tracing.page import to_page
from grader.learner.tracing.picture import to_svg
from grader.learner.tracing.text import print_trace
from support import ROOT, changed, hand_in, there
from support.command import run
from support.golden import unpacked
from support.tracing import (
    HANGS,
    NO_VISITED,
    OPERANDS_FIRST,
    PRODUCT_ASSIGNS,
    RAISES,
    RIGHT,
    TAPE,
    WRONG_DERIVATIVE,
    WRONG_SUM,
    problems,
    traced,
)

EXAMPLE = "(a*b + c) * (a + d)"
pytestmark = pytest.mark.usefixtures("nothing_left")


# --- reading ---


@pytest.mark.parametrize(
    ("source", "told", "column"),
    [
        ("a + foo(b)", "not allowed", 4),
        ("é * ñ[0]", "not allowed", 4),
        ("a +* b", "not an expression", 3),
        ("a*b; a", "without a name", 0),
        ("a**b", "exponent", 0),
        ("a if b else c", "not allowed", 0),
        ("__import__('os')", "not allowed", 0),
        ("a*(b + 1e400)", "at most", 7),
        ("a/(b - b)", "has no number", 0),
    ],
)
def test_a_forbidden_part_of_an_expression_is_pointed_at(
    source: str, told: str, column: int
) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        parse(source, {}, "engine.Value")
    line, caret = caught.value.message.splitlines()[-2:]
    assert line.strip() == source
    assert caret == " " * (2 + column) + "^"


# --- what is seen of an engine ---


EVIL = changed(('(self, other), "*")', '(self, other), "</script><img src=x onerror=alert(1)>")'))


@pytest.mark.parametrize(
    "engine", sorted((unpacked("engines") / "correct").glob("*.py")), ids=lambda path: path.stem
)
def test_nothing_is_said_against_a_right_engine_however_it_is_written(engine: Path) -> None:
    trace = traced(
        engine.read_text(encoding="utf-8"),
        "s = a*b; (s + a)*(s - 3)/(2 - b) + s**2 + a*a + 2/a + 3*(-b) + a**-0.5",
    )
    assert problems(trace) == []
    assert trace.first_wrong is None


def passing_gradients() -> str:
    """Return an engine whose `_backward` gets its gradient as an argument."""
    begin, _, _ = TAPE.partition("        self.grad = 1.0")
    step = """class Value:
    def _backward(self, g):
        self.grad += g
        for part, slope in self.parts:
            part._backward(slope * g)
"""
    return begin.replace("class Value:\n", step) + "        self._backward(1.0)\n"


BACKWARD = "    def backward(self):\n"
UNWRITTEN = changed(
    (BACKWARD, f"{BACKWARD}        raise NotImplementedError\n\n    def other(self):\n")
)


@pytest.mark.parametrize(
    ("source", "expression", "told"),
    [
        pytest.param(source, expression, told, id=name)
        for name, source, expression, told in [
            (
                "one node is both operands",
                RIGHT,
                "s = a*b; t = a + 1; s*s + s",
                [
                    "note: the result does not use t, so it is not shown",
                    "s: 1 → -11, grows by -12 = (-6) * 1 + (-6) * 1",
                    "The end: all 5 gradients are right.",
                ],
            ),
            (
                "a difference of three nodes",
                RIGHT,
                "a - b",
                ["b * -1 is computed: 3.", "b * -1: 0 → 1", "-1: 0 → -3"],
            ),
            (
                "no step can be watched",
                TAPE,
                EXAMPLE,
                [
                    "no readable _prev",
                    "steps are unknown",
                    "a: 0 → -19",
                    "all 8 gradients are right",
                ],
            ),
            (
                "steps get their gradient as an argument",
                passing_gradients(),
                "s = a*b; s + s*c",
                ["does not work node by node", "all 6 gradients are right"],
            ),
            ("backward is not written", UNWRITTEN, "a + b", ["3 ! Value.backward is not written"]),
            (
                "operands first",
                OPERANDS_FIRST,
                EXAMPLE,
                ["WRONG: Too early: its gradient is still 0 and should be -1.", "must run first"],
            ),
            (
                "a wrong derivative is wrong where it acts",
                WRONG_DERIVATIVE,
                "tanh(a*b) * c",
                ["a*b: 0 → 9.99994, should be 0.000122883", "tanh(a*b): 0 → 5, grows by 5 = 5 * 1"],
            ),
            ("a node runs again", NO_VISITED, "t = a*a; t*t + t", ["WRONG: It has run before."]),
            ("a wrong sum", WRONG_SUM, "a + b", ["WRONG: a + b is 5; it should be -1."]),
            (
                "an exception",
                RAISES,
                EXAMPLE,
                [
                    "stops here, in the _backward of (a*b + c) * (a + d)",
                    "RuntimeError: <b>no</b>\\x1b",
                ],
            ),
            (
                "no end",
                HANGS,
                EXAMPLE,
                ["5 > (a*b + c) * (a + d) is computed: -6.", "does not end (engine.py:"],
            ),
        ]
    ],
)
def test_the_steps_tell_what_the_engine_does(source: str, expression: str, told: list[str]) -> None:
    shown = _text(traced(source, expression), 200, "utf-8")
    assert [text for text in told if text not in shown] == [], shown


@pytest.mark.slow
def test_a_walk_along_every_path_is_stopped() -> None:
    doubling = (
        "; ".join(["x1 = a + a", *(f"x{n + 1} = x{n}*1 + x{n}" for n in range(1, 16))]) + "; x16*1"
    )
    trace = traced(
        changed(("            elif node not in visited:", "            else:")), doubling
    )
    assert trace.steps[-1].kind == "stopped"
    assert len(to_page(trace)) < 5_000_000


@pytest.mark.parametrize("source", [RAISES, EVIL], ids=["exception", "sign"])
def test_what_is_written_is_one_file_that_fetches_nothing_and_escapes_text(source: str) -> None:
    page, picture = (show(traced(source, "a - b*c")) for show in (to_page, to_svg))
    assert "\x1b" not in page + picture
    assert re.findall(r"<(?:img|b)\b", page) == []
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert page.count("</script>") == 2
    ET.fromstring(picture)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            (ROOT / "exercises" / "engine.py").read_text(encoding="utf-8"),
            r"Value.__init__ is not written yet",
        ),
        (changed(("    def tanh(self):", "    def other(self):")), "has no attribute 'tanh'"),
        ("", "has no attribute 'Value'"),
        (
            changed(('out = Value(math.tanh(self.data), (self,), "tanh")', "while True: pass")),
            r"tanh\(a\) does not end",
        ),
    ],
    ids=["stub", "missing", "no class", "endless"],
)
def test_an_engine_that_cannot_compute_it_says_what_is_missing(source: str, told: str) -> None:
    with pytest.raises(CannotRun, match=told):
        traced(source, "tanh(a) + b")


def test_a_graph_with_a_circle_or_foreign_operands_is_shown_all_the_same() -> None:
    circle = changed(
        ("        self._prev = set(_children)", "        self._prev = {*_children, self}")
    )
    foreign = changed(
        ("        self._prev = set(_children)", "        self._prev = [*_children, 3.0]"),
        ("for child in node._prev", "for child in node._prev if isinstance(child, Value)"),
    )
    for source in (circle, foreign):
        assert "<svg" in to_page(traced(source, EXAMPLE))


PREV = "        self._prev = set(_children)"
# what `_prev` or `_op` is, and what must be said of it
SIZES = {
    "a new child at each look": (
        [
            (PREV, "        self._made_of = _children"),
            (
                "    def __repr__(self):",
                (
                    "    @property\n"
                    "    def _prev(self):\n"
                    "        return (Value(1.0), *self._made_of)\n"
                    "\n"
                    "    def __repr__(self):"
                ),
            ),
        ],
        "does not end",
    ),
    "a hundred thousand children": (
        [
            (
                PREV,
                f"{PREV} if not _children else [*_children, *(Value(0.0) for _ in range(100_000))]",
            )
        ],
        "does not end",
    ),
    "a generator without end": (
        [(PREV, f"{PREV} if not _children else (Value(1.0) for _ in iter(int, 1))")],
        "does not end|runs out of memory",
    ),
    "two nodes that hold each other": (
        [(PREV, f"{PREV}\n        for child in _children:\n            child._prev.add(self)")],
        "Too early",
    ),
    "a text of 30 megabytes": (
        [("        self._op = _op", "        self._op = (_op or 'x') * 30_000_000")],
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_a_graph_beyond_all_bounds_costs_little(name: str, tmp_path: Path) -> None:
    changes, told = SIZES[name]
    resource = pytest.importorskip("resource", reason="bounds the memory of a process")
    folder = str(hand_in(tmp_path, changed(*changes)))
    done = subprocess.run(
        [sys.executable, "-m", "grader", "trace", EXAMPLE, "--text", "--at", folder],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
        check=False,
    )
    shown = done.stdout + done.stderr
    assert (done.returncode, "Traceback" in shown) == (int(bool(told)), False)
    assert re.search(told, " ".join(shown.split()))
    assert len(shown.splitlines()) < 600


# --- what is shown ---


def _text(trace: object, width: int = 60, encoding: str = "ascii") -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    print_trace(trace, Console(file=out, width=width, highlight=False, markup=False, emoji=False))  # type: ignore[arg-type]
    out.flush()
    return "\n".join(line.rstrip() for line in out.buffer.getvalue().decode(encoding).splitlines())


GOLDEN = """\
a*b + a
1 = Inputs: a = 2, b = -3.
2 > a*b is computed: -6.
3 > a*b + a is computed: -4.
4 < The backward pass begins: the gradient of a*b + a is 1.
    a*b + a: 0 -> 1
5 < a*b + a runs its _backward. Its gradient is 1.
    a*b: 0 -> 1, grows by 1 = 1 * 1
    a: 0 -> 1, grows by 1 = 1 * 1
6 < a*b runs its _backward. Its gradient is 1.
    a: 1 -> -3, should be -2: grow by -3 = (-3) * 1
    b: 0 -> 2, grows by 2 = 2 * 1
    WRONG: The gradient of a is now -3; it should be -2. The
           1 that was there is lost. Add to it with +=.
7 = The end: 1 of 4 gradients is wrong.
    WRONG: The gradient of a is -3; it should be -2."""


def test_the_terminal_shows_it_in_sixty_columns_of_ascii() -> None:
    text = _text(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3))
    assert text == GOLDEN
    assert max(map(len, text.splitlines())) <= 60


def test_the_steps_in_the_learners_guide_are_real_ones() -> None:
    transcript = there(
        re.search(
            r'<!-- transcript: grade trace "(.*?)" --text -->\n```text\n(.*?)\n```',
            (ROOT / "docs" / "learner.md").read_text(encoding="utf-8"),
            re.DOTALL,
        )
    )
    assert transcript[2] in _text(traced(PRODUCT_ASSIGNS, transcript[1]), 80, "utf-8")


# --- the command ---


def test_a_picture_that_cannot_be_drawn_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.views.layout.MAX_NODES", 5)
    (tmp_path / "engine.py").write_text(OPERANDS_FIRST, encoding="utf-8")
    done = run("trace", EXAMPLE, "--at", tmp_path)
    assert (done.returncode, "error: a graph of 8 nodes is too large" in done.stderr) == (2, True)
    assert "--text shows it" in done.stderr


# --- grade PHASE --open ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "phase", "told"),
    [
        (OPERANDS_FIRST, "phase4", ["phase4.first-graph", '"start": 4', "Too early"]),
        (
            changed(("self.grad += out.grad", "self.grad = out.grad")),
            "phase2",
            [
                "Gradients before the pass: <code>a</code> = 5, <code>b</code> = 5.",
                "The 5 that was there is lost",
            ],
        ),
    ],
)
def test_a_failing_phase_opens_its_first_failure_at_the_first_wrong_step(
    source: str, phase: str, told: list[str], tmp_path: Path
) -> None:
    with patch("webbrowser.open", return_value=True):
        assert run(phase, "--open", cwd=hand_in(tmp_path, source)).returncode == 1
    page = (tmp_path / ".grade" / "trace.html").read_text(encoding="utf-8")
    assert [text for text in [*told, "</html>"] if text not in page] == []
