"""`grade trace`: what is read, what is seen of right and of faulty engines, and what the terminal
and the files show.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from grader.errors import UsageError
from grader.judge import oracle
from grader.judge.oracle.expressions import MAX_OPERATIONS, parse
from grader.learner.tracing.model import Role, StepKind
from grader.learner.tracing.page import to_page
from grader.learner.tracing.picture import to_svg
from grader.learner.tracing.text import print_trace
from grader.learner.tracing.trace import NotTraced
from support import ROOT
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
    about,
    changed,
    problems,
    traced,
)

MAKE = "engine.Value"
EXAMPLE = "(a*b + c) * (a + d)"
pytestmark = pytest.mark.usefixtures("nothing_left")

SOLUTIONS = str(ROOT / "solutions")

# --- reading ---


@pytest.mark.parametrize(
    ("source", "given", "value", "labels"),
    [
        (
            EXAMPLE,
            {"a": 2, "b": -3, "c": 10, "d": 1},
            12.0,
            ["a", "b", "c", "d", "a*b", "a*b + c", "a + d", EXAMPLE],
        ),
        ("s = a*b; s*s + s", {"a": 2, "b": 3}, 42.0, ["a", "b", "s", "s*s", "s*s + s"]),
        (
            "tanh(x) - x.relu()**2 / -2",
            {"x": 0.0},
            0.0,
            [
                "x",
                "tanh(x)",
                "x.relu()",
                "x.relu()**2",
                "x.relu()**2 / -2",
                "tanh(x) - x.relu()**2 / -2",
            ],
        ),
        ("-a**2", {"a": 3}, -9.0, ["a", "a**2", "-a**2"]),
        ("2*3*a - 2**3", {"a": 1}, -2.0, ["a", "2*3*a", "2*3*a - 2**3"]),
    ],
)
def test_an_expression_becomes_the_steps_that_build_it(
    source: str, given: dict[str, float], value: float, labels: list[str]
) -> None:
    parsed = parse(source, given, MAKE)
    assert oracle.evaluate(parsed.steps)[parsed.root] == value
    assert sorted(parsed.labels.values()) == sorted(labels)


@pytest.mark.parametrize(
    ("source", "told", "column"),
    [
        ("a + foo(b)", "not allowed", 4),
        ("é * ñ[0]", "not allowed", 4),
        ("a +* b", "not an expression", 3),
        ("a*b; a", "without a name", 0),
        ("a**b", "exponent", 1),
        ("a if b else c", "not allowed", 0),
        ("__import__('os')", "not allowed", 0),
        ("a*(b + 1e400)", "at most", 7),
        ("a/(b - b)", "has no number", 1),
    ],
)
def test_a_forbidden_part_of_an_expression_is_pointed_at(
    source: str, told: str, column: int
) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        parse(source, {}, MAKE)
    line, caret = caught.value.message.splitlines()[-2:]
    assert line.strip() == source
    assert caret == " " * (2 + column) + "^"


def test_names_without_a_number_get_some_that_work_and_hide_nothing() -> None:
    assert parse(EXAMPLE, {}, MAKE).given == parse(EXAMPLE, {}, MAKE).given
    parsed = parse("log(a - b) / (c + 2) + (d - 3)**0.5", {"c": -1}, MAKE)
    values = oracle.evaluate(parsed.steps)
    assert parsed.given["c"] == -1
    assert all(values.values())


def test_a_number_for_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no name 'q'"):
        parse("a*b", {"q": 1}, MAKE)
    with pytest.raises(UsageError, match=r"log\(a\) has no number for a = -1"):
        parse("log(a)", {"a": -1}, MAKE)


def test_a_long_sum_is_read_and_a_longer_one_refused() -> None:
    long = " + ".join(["a"] * (MAX_OPERATIONS + 1))
    assert len(parse(long, {}, MAKE).steps) == MAX_OPERATIONS + 1
    with pytest.raises(UsageError, match=f"more than {MAX_OPERATIONS}"):
        parse(long + " + a", {}, MAKE)


def test_a_part_that_the_result_does_not_use_is_left_out_and_named() -> None:
    parsed = parse("s = a*b; t = a + 1; s*s", {}, MAKE)
    assert parsed.unused == ("t",)
    assert "t" not in parsed.labels.values()


# --- right engines ---


def test_the_graph_has_operands_in_order_and_right_numbers() -> None:
    trace = traced(RIGHT, EXAMPLE, a=2, b=-3, c=10, d=1)
    nodes = {node.label: node for node in trace.nodes}
    assert trace.right
    assert [trace.nodes[place].label for place in nodes[EXAMPLE].operands] == ["a*b + c", "a + d"]
    assert {
        label: (node.value, node.gradient)
        for label, node in nodes.items()
        if node.role is Role.LEAF
    } == {"a": (2, -5.0), "b": (-3, 6.0), "c": (10, 3.0), "d": (1, 4.0)}


def test_the_steps_say_what_grows_by_how_much_and_through_what() -> None:
    trace = traced(RIGHT, "s = a*b; s*s + s", a=2, b=3)
    step = about(trace, "`s*s` runs")
    (growth,) = step.growths
    assert (growth.slopes, growth.upstream, growth.share, growth.after) == (
        (6.0, 6.0),
        1.0,
        12.0,
        growth.before + 12.0,  # type: ignore[operator]
    )
    assert [trace.nodes[place].label for place in trace.nodes[step.node or 0].operands] == [
        "s",
        "s",
    ]
    assert trace.steps[-1].text == "The end: all 5 gradients are right."


def test_a_difference_of_three_nodes_shows_the_nodes_in_between_with_what_is_right_in_them() -> (
    None
):
    trace = traced(RIGHT, "a - b", a=5, b=3)
    between = next(node for node in trace.nodes if node.label == "b * -1")
    assert (between.value, between.right_value, between.gradient, between.right_gradient) == (
        -3,
        -3.0,
        1.0,
        1.0,
    )
    assert next(node for node in trace.nodes if node.role is Role.CONSTANT).label == "-1"


CORRECT = sorted((unpacked("engines") / "correct").glob("*.py"))


@pytest.mark.parametrize("engine", CORRECT, ids=lambda path: path.stem)
def test_nothing_is_said_against_a_right_engine_however_it_is_written(engine: Path) -> None:
    trace = traced(
        engine.read_text(encoding="utf-8"),
        "s = a*b; (s + a)*(s - 3)/(2 - b) + s**2 + a*a + 2/a + 3*(-b) + a**-0.5",
    )
    assert problems(trace) == []
    assert trace.steps[-1].kind is StepKind.END


def test_without_steps_that_can_be_watched_the_end_is_shown() -> None:
    trace = traced(TAPE, EXAMPLE, a=2, b=-3, c=10, d=1)
    assert trace.right
    assert "to watch" in trace.steps[-2].text
    assert [node.gradient for node in trace.nodes if node.label == "a"] == [-5.0]
    assert "no readable `_prev`" in trace.notes[0]


def test_steps_that_get_their_gradient_as_an_argument_are_not_a_mistake() -> None:
    engine = TAPE.replace(
        "class Value:",
        "class Value:\n"
        "    def _backward(self, g):\n"
        "        self.grad += g\n"
        "        for part, slope in self.parts:\n"
        "            part._backward(slope * g)\n",
    )
    begin, _, _ = engine.partition("        self.grad = 1.0")
    trace = traced(begin + "        self._backward(1.0)\n", "s = a*b; s + s*c")
    assert trace.right
    assert any("does not work node by node" in note for note in trace.notes)


# --- faulty engines ---


def test_operands_first_is_too_early_and_says_who_must_run_before() -> None:
    trace = traced(OPERANDS_FIRST, EXAMPLE)
    first = trace.steps[trace.first_wrong or 0]
    assert first.kind is StepKind.RUN
    assert "Too early" in first.problems[0]
    assert "must run first" in first.problems[0]
    assert "gradients are wrong" in trace.steps[-1].text


def test_an_assignment_is_reported_with_the_lost_gradient() -> None:
    trace = traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3)
    problem, at_the_end = problems(trace)
    assert "The 1 that was there is lost. Add to it with `+=`." in problem
    assert at_the_end == "The gradient of `a` is -3; it should be -2."


def test_a_wrong_local_derivative_is_found_where_it_acts_and_nowhere_else() -> None:
    trace = traced(WRONG_DERIVATIVE, "tanh(a*b) * c", a=0.5, b=1, c=2)
    wrong = [
        trace.nodes[growth.node].label
        for step in trace.steps
        for growth in step.growths
        if growth.wrong
    ]
    assert wrong == ["a*b"]
    assert [node.label for node in trace.nodes if node.wrong_gradient] == ["a", "b", "a*b"]


def test_a_node_that_runs_again_is_marked() -> None:
    assert any(
        "It has run before" in problem
        for problem in problems(traced(NO_VISITED, "s = a*b; t = s*s; t*t + t"))
    )


@pytest.mark.slow
def test_a_walk_along_every_path_is_stopped() -> None:
    doubling = (
        "; ".join(["x1 = a + a", *(f"x{n + 1} = x{n}*1 + x{n}" for n in range(1, 16))]) + "; x16*1"
    )
    trace = traced(
        changed(("            elif node not in visited:", "            else:")), doubling
    )
    assert trace.steps[-1].kind is StepKind.STOPPED
    assert len(to_page(trace)) < 5_000_000


def test_wrong_numbers_are_shown_next_to_right_ones() -> None:
    trace = traced(WRONG_SUM, "a + b*c", a=1, b=2, c=3)
    assert problems(trace)[0] == "`a + b*c` is -5; it should be 7."
    assert "✗ right 7" in to_svg(trace)


def test_an_exception_ends_the_pass_where_it_happened_and_does_nothing_to_the_views() -> None:
    trace = traced(RAISES, EXAMPLE)
    last = trace.steps[-1]
    assert last.kind is StepKind.STOPPED
    assert "RuntimeError" in last.problems[0]
    for text in (to_page(trace), to_svg(trace), _text(trace)):
        assert "\x1b" not in text
    assert "<b>no" not in to_page(trace)
    ET.fromstring(to_svg(trace))


def test_a_pass_without_end_shows_the_forward_pass_and_where_it_is() -> None:
    trace = traced(HANGS, EXAMPLE)
    assert "does not end (engine.py, line" in trace.steps[-1].problems[0]
    assert [step.kind for step in trace.steps].count(StepKind.FORWARD) == 4


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            (ROOT / "exercises" / "engine.py").read_text(encoding="utf-8"),
            r"Value.__init__ is not written yet",
        ),
        (changed(("    def tanh(self):", "    def other(self):")), "tanh is not written yet"),
        (
            changed(('out = Value(math.tanh(self.data), (self,), "tanh")', "while True: pass")),
            r"tanh\(a\) does not end",
        ),
    ],
    ids=["stub", "missing", "endless"],
)
def test_an_engine_that_cannot_compute_it_says_what_is_missing(source: str, told: str) -> None:
    with pytest.raises(NotTraced, match=told):
        traced(source, "tanh(a) + b")


def test_without_the_class_the_hint_names_no_operation() -> None:
    with pytest.raises(NotTraced, match="has no attribute 'Value'") as met:
        traced("", "a + b")
    assert met.value.hint == "fix that first"


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
# what `_prev` or `_op` is, and what must be said of it; by the speed of the machine, one limit or
# the other is met first
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
    "a child that is never made": (
        [
            (
                PREV,
                "        self._made_of = _children\n        while data is None:\n            pass",
            ),
            (
                "    def __repr__(self):",
                (
                    "    @property\n"
                    "    def _prev(self):\n"
                    "        return (Value(None), *self._made_of)\n"
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


def bounded(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, with a gigabyte of addresses."""
    resource = pytest.importorskip("resource", reason="bounds the memory of a process")
    limits = (1 << 30, 1 << 30)
    command = [sys.executable, "-m", "grader", *words]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_a_graph_beyond_all_bounds_costs_little_and_right_numbers_stay_right(
    name: str, tmp_path: Path
) -> None:
    changes, told = SIZES[name]
    (tmp_path / "engine.py").write_text(changed(*changes), encoding="utf-8")
    done = bounded("trace", EXAMPLE, "--text", "--at", str(tmp_path))
    assert (done.returncode, done.stderr) == (int(bool(told)), "")
    assert re.search(told, " ".join(done.stdout.split()))
    assert "a*b is computed: -6." in done.stdout
    # what an earlier question cost the worker is no word on a number
    assert "right 2" not in done.stdout
    assert "Ref(" not in done.stdout
    assert len(done.stdout.splitlines()) < 600


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
    WRONG: The gradient of a is -3; it should be -2.

a        value 2         grad -3 (right -2)
b        value -3        grad 2
a*b      value -6        grad 1
a*b + a  value -4        grad 1"""


def test_the_terminal_shows_it_in_sixty_columns_of_ascii() -> None:
    text = _text(traced(PRODUCT_ASSIGNS, "a*b + a", a=2, b=-3))
    assert text == GOLDEN
    assert max(map(len, text.splitlines())) <= 60


def test_the_steps_in_the_learners_guide_are_real_ones() -> None:
    transcript = re.search(
        r'<!-- transcript: grade trace "(.*?)" --text -->\n```text\n(.*?)\n```',
        (ROOT / "docs" / "learner.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert transcript is not None
    assert transcript[2] in _text(traced(PRODUCT_ASSIGNS, transcript[1]), 80, "utf-8")


def test_a_page_is_one_file_that_fetches_nothing_and_escapes_text() -> None:
    evil = changed(
        ('(self, other), "*")', '(self, other), "</script><img src=x onerror=alert(1)>")')
    )
    page = to_page(traced(evil, "a - b*c"))
    assert "<img" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert page.count("</script>") == 2


# --- the command ---


def test_the_command_writes_page_and_picture_and_its_exit_code_says_whether_all_is_right(
    tmp_path: Path,
) -> None:
    (tmp_path / "engine.py").write_text(OPERANDS_FIRST, encoding="utf-8")
    page, picture = tmp_path / "page.html", tmp_path / "graph.svg"
    assert (
        run(
            "trace", EXAMPLE, "--at", SOLUTIONS, "--html", str(page), "--svg", str(picture)
        ).returncode
        == 0
    )
    assert "</html>" in page.read_text(encoding="utf-8")
    assert ET.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")
    done = run("trace", EXAMPLE, "--at", str(tmp_path), "--text", "--set", "a=2.5")
    assert (done.returncode, "a = 2.5" in done.stdout, "WRONG" in done.stdout) == (1, True, True)


@pytest.mark.slow
def test_trace_draws_and_the_phase_by_hand_is_graded() -> None:
    done = run("by-hand", "--format", "json", "--at", SOLUTIONS)
    assert (done.returncode, '"by-hand.first-forward"' in done.stdout) == (0, True)
    done = run("trace", "--at", SOLUTIONS)
    assert (done.returncode, "Missing argument 'EXPRESSION'" in done.stderr) == (2, True)
    assert "EXPRESSION" in run("trace", "--help").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("a*(b",), "never closed"),
        (("a*b", "--set", "a"), "is not of the form NAME=NUMBER"),
        (("a*b", "--set", "a=nan"), "is not of the form NAME=NUMBER"),
        (("a*b", "--at", "nowhere"), "nowhere"),
    ],
)
def test_wrong_usage_is_refused(words: tuple[str, ...], told: str) -> None:
    done = run("trace", *words, *(() if "--at" in words else ("--at", SOLUTIONS)))
    assert (done.returncode, told in done.stderr) == (2, True)


@pytest.mark.slow
def test_a_failing_phase_opens_its_first_failure_at_the_first_wrong_step(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(OPERANDS_FIRST, encoding="utf-8")
    done = subprocess.run(
        ["python", "-m", "grader", "phase4", "--open"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={"PATH": _path(), "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1
    page = (tmp_path / ".grade" / "trace.html").read_text(encoding="utf-8")
    assert "phase4.first-graph" in page
    assert '"start": 4' in page
    assert "Too early" in page


def test_text_replaces_a_picture_that_cannot_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.views.layout.MAX_NODES", 5)
    (tmp_path / "engine.py").write_text(OPERANDS_FIRST, encoding="utf-8")
    done = run("trace", EXAMPLE, "--at", str(tmp_path))
    assert (done.returncode, "Too early" in done.stdout) == (1, True)
    assert "shown as text, because a graph of 8 nodes is too large" in done.stderr
    done = run("trace", EXAMPLE, "--at", str(tmp_path), "--svg", str(tmp_path / "graph.svg"))
    assert (done.returncode, "error: a graph of 8 nodes is too large" in done.stderr) == (3, True)


@pytest.mark.slow
def test_without_a_failure_there_is_nothing_to_open() -> None:
    done = run("phase2", "--open", "--at", SOLUTIONS)
    assert (done.returncode, "nothing to open" in done.stderr) == (0, True)


ASSIGNS = [("self.grad += out.grad", "self.grad = out.grad")]


@pytest.mark.slow
def test_the_page_of_a_failure_has_the_gradients_that_were_there_before(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(changed(*ASSIGNS), encoding="utf-8")
    done = subprocess.run(
        ["python", "-m", "grader", "phase2", "--open"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={"PATH": _path(), "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1
    page = (tmp_path / ".grade" / "trace.html").read_text(encoding="utf-8")
    assert "Gradients before the pass: <code>a</code> = 5, <code>b</code> = 5." in page
    assert "The 5 that was there is lost" in page
    assert "gradients are right" not in page


@pytest.mark.slow
def test_if_everything_is_blocked_the_report_leads_to_the_cause(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(changed(*ASSIGNS), encoding="utf-8")
    done = run("phase5", "--open", "--at", str(tmp_path))
    assert "nothing failed here; the blocked checkpoints wait for phase2.backward" in done.stderr
    assert "grade phase2.backward --open" in done.stderr


def test_an_unwritten_backward_pass_is_not_a_mistake() -> None:
    head = "    def backward(self):\n"
    stub = head + "        raise NotImplementedError\n\n    def finished(self):\n"
    trace = traced(changed((head, stub)), "a + b")
    assert trace.steps[-1].text == "`Value.backward` is not written yet."
    assert trace.right


def test_the_picture_keeps_the_sign_of_an_operation_apart_from_its_name() -> None:
    picture = to_svg(traced(RIGHT, "a*b + a"))
    (box,) = re.findall(
        r'<g class="node [^"]*"[^>]*><title>a\*b</title>.*?</g>', picture, re.DOTALL
    )
    width, tag, label = (
        float(found[1])
        for found in (
            re.search(r'class="box" width="([\d.]+)"', box),
            re.search(r'class="tag" x="([\d.]+)"', box),
            re.search(r'class="label" x="([\d.]+)"', box),
        )
        if found
    )
    assert label + len("a*b") * 8 < tag < width
    assert 'text-anchor="middle">*</text>' in box


def test_a_long_title_is_not_cut() -> None:
    title = "phase2.backward: " + "the gradient of the sum arrives at each operand " * 4
    trace = replace(traced(RIGHT, "a + b"), title=title)
    assert title in to_page(trace)


def _path() -> str:
    import os

    return os.environ["PATH"]
