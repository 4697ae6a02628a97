"""The course as a notebook: what is written into it, what its cells grade as, and `%grade` in a
real kernel.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

from grader.cli import ipython as magic
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE, Course
from grader.errors import CourseError
from grader.learner.editing import functions_in, replace_functions
from grader.learner.notebook import make_notebook, notebook_text
from grader.learner.progress import TICKED
from grader.model import Report, TreeNode, Verdict
from grader.views.html import page
from grader.views.svg import MAX_NODES, picture
from support import ROOT
from support.command import run
from support.grading import grade

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "examples" / "dual-numbers"
GRADE = [sys.executable, "-c", "from grader.cli.app import main; main()"]
COURSES = {"built-in": DEFAULT_COURSE, "dual numbers": EXAMPLE}
has_kernel = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("ipykernel", "nbclient"))),
    reason='no ipykernel here: python -m pip install -e ".[notebook]"',
)
has_ipython = pytest.mark.skipif(
    not importlib.util.find_spec("IPython"),
    reason='no IPython here: python -m pip install -e ".[notebook]"',
)


def code_cells(notebook: Any) -> list[Any]:
    """The cells that learners write in."""
    return [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and not cell.source.startswith("%")
    ]


def solutions(course: Course) -> dict[str, bytes]:
    return {
        name: text
        for file in course.files
        for name, text in functions_in((course.solutions / file).read_bytes(), file).items()
    }


def filled(course: Course, **others: str) -> Any:
    """The notebook with solutions in place of the stubs, `others` in place of those."""
    notebook, written = (
        make_notebook(course),
        solutions(course)
        | {name.replace("_of_", ".", 1): text.encode() for name, text in others.items()},
    )
    files = {stage.file for stage in course.stages if not stage.optional}
    bodies = [
        ast.parse((course.solutions / file).read_text(encoding="utf-8")).body for file in files
    ]
    imports = {
        ast.unparse(node) for body in bodies for node in body if isinstance(node, ast.Import)
    }
    for cell in code_cells(notebook):
        source = cell.source.encode()
        cell.source = replace_functions(
            source,
            {name: written[name] for name in functions_in(source, "") if name in written},
            "",
        ).decode()
    outside = sorted(
        line for line in imports if not any(module in line.split() for module in course.modules)
    )
    code_cells(notebook)[0].source = "\n".join([*outside, "", code_cells(notebook)[0].source])
    return notebook


def verdicts(report: Report) -> dict[str, tuple[Verdict, str]]:
    return {
        result.id: (result.verdict, result.blocked_by)
        for phase in report.phases
        for result in phase.checkpoints
    }


# --- what is written ---


@pytest.mark.parametrize("folder", COURSES.values(), ids=COURSES)
def test_the_notebook_is_valid_and_has_a_step_for_everything_that_is_asked(folder: Path) -> None:
    course = load_course(folder)
    text = notebook_text(make_notebook(course))
    assert text == notebook_text(make_notebook(load_course(folder)))
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    assert json.loads(text)["metadata"]["kernelspec"]["name"] == "python3"
    required = [stage for stage in course.stages if not stage.optional]
    found = [
        name for cell in code_cells(notebook) for name in functions_in(cell.source.encode(), "")
    ]
    asked = [name for stage in required for name in course.functions(stage)]
    assert len(found) == len(set(found))
    assert set(asked) <= set(found)
    sources = [cell.source for cell in notebook.cells]
    checks = [sources.index(f"%grade {stage.id}") for stage in required]
    assert checks == sorted(checks)
    for stage, before, check in zip(required, [0, *checks], checks):
        assert any(
            stage.title in source and stage.summary.strip() in source
            for source in sources[before:check]
        )
        inside = {
            name
            for source in sources[before:check]
            if source.startswith(("class", "def", "import"))
            for name in functions_in(source.encode(), "")
        }
        assert set(course.functions(stage)) <= inside


def test_no_cell_imports_names_from_the_cells_above() -> None:
    course = load_course()
    for cell in code_cells(make_notebook(course)):
        ast.parse(cell.source)
        assert not re.search(rf"from ({'|'.join(course.modules)}) import", cell.source)
        assert "# ---" not in cell.source


@pytest.mark.parametrize("folder", COURSES.values(), ids=COURSES)
def test_the_notebook_as_it_comes_is_not_started_and_there_is_nothing_to_note(
    folder: Path, tmp_path: Path
) -> None:
    course = load_course(folder)
    (tmp_path / "new.ipynb").write_text(notebook_text(make_notebook(course)), encoding="utf-8")
    report = grade(tmp_path / "new.ipynb", course=course)
    assert {verdict for verdict, _ in verdicts(report).values()} == {Verdict.NOT_STARTED}
    assert report.notes == ()


@pytest.mark.parametrize("folder", COURSES.values(), ids=COURSES)
def test_solutions_in_the_cells_grade_as_in_the_files(folder: Path, tmp_path: Path) -> None:
    course = load_course(folder)
    (tmp_path / "mine.ipynb").write_text(notebook_text(filled(course)), encoding="utf-8")
    cells, files = (
        grade(tmp_path / "mine.ipynb", course=course),
        grade(course.solutions, course=course),
    )
    assert verdicts(cells) == verdicts(files)
    assert {verdict for verdict, _ in verdicts(cells).values()} == {Verdict.PASSED}
    assert cells.notes == ()


WRONG = {
    "Value_of___pow__": (
        "def __pow__(self, exponent):\n"
        "    return Value(self.data ** exponent, (self,), f'**{exponent}')"
    ),
    "Value_of_backward": (
        "def backward(self):\n"
        "    self.grad = 1.0\n"
        "    for node in self.build_topo():\n"
        "        node._backward()"
    ),
    "Value_of_zero_grad": "def zero_grad(self):\n    raise NotImplementedError",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_in_a_cell_grades_as_in_the_file(name: str, tmp_path: Path) -> None:
    course = load_course()
    (tmp_path / "mine.ipynb").write_text(
        notebook_text(filled(course, **{name: WRONG[name]})), encoding="utf-8"
    )
    source = (course.solutions / "engine.py").read_bytes()
    (tmp_path / "engine.py").write_bytes(
        replace_functions(source, {name.replace("_of_", ".", 1): WRONG[name].encode()}, "")
    )
    cells, files = grade(tmp_path / "mine.ipynb", ["3-5"]), grade(tmp_path / "engine.py", ["3-5"])
    assert verdicts(cells) == verdicts(files)
    assert {verdict for verdict, _ in verdicts(cells).values()} > {Verdict.PASSED}


@pytest.fixture
def two_files(tmp_path: Path) -> Callable[[str, str], Course]:
    """The course about dual numbers with its last phase in a file of its own, which begins with
    some lines, and uses Dual by some name.
    """

    def make(head: str, dual: str) -> Course:
        folder = tmp_path / "course"
        shutil.copytree(EXAMPLE, folder)
        for name in ("exercises", "solutions"):
            source = (folder / name / "dual.py").read_text(encoding="utf-8")
            at = source.index("\ndef derivative")
            rest = re.sub(r"\bDual\b", dual, source[at:])
            (folder / name / "dual.py").write_text(source[:at], encoding="utf-8")
            (folder / name / "roots.py").write_text(
                f'"""Roots."""\n\n{head}\n{rest}', encoding="utf-8"
            )
        stage = folder / "phase3" / "stage.toml"
        stage.write_text(
            stage.read_text(encoding="utf-8").replace('file = "dual.py"', 'file = "roots.py"'),
            encoding="utf-8",
        )
        return load_course(folder)

    return make


@pytest.mark.parametrize(
    ("head", "dual"),
    [
        ("from dual import Dual", "Dual"),
        ("from dual import Dual as D", "D"),
        ("import dual", "dual.Dual"),
        ("import math, dual as d", "d.Dual"),
    ],
)
def test_however_a_file_imports_another_the_cells_do_without(
    head: str, dual: str, two_files: Callable[[str, str], Course], tmp_path: Path
) -> None:
    course = two_files(head, dual)
    notebook = filled(course)
    cells = "\n\n".join(cell.source for cell in code_cells(notebook))
    script = f"{cells}\nprint(derivative(lambda x: x * x, 3.0))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("6.0\n", "")
    (tmp_path / "mine.ipynb").write_text(notebook_text(notebook), encoding="utf-8")
    assert {
        verdict for verdict, _ in verdicts(grade(tmp_path / "mine.ipynb", course=course)).values()
    } == {Verdict.PASSED}


def test_one_name_in_two_files_is_refused(two_files: Callable[[str, str], Course]) -> None:
    course = two_files("def helper():\n    return 1\n\n\nclass Dual:\n    pass", "Dual")
    with pytest.raises(CourseError, match=r"'Dual' is defined in dual\.py and in roots\.py"):
        make_notebook(course)


def test_the_command_writes_once_and_never_over_anything(tmp_path: Path) -> None:
    assert run("notebook", "init", cwd=tmp_path).returncode == 0
    written = (tmp_path / "engine.ipynb").read_bytes()
    assert written.decode() == notebook_text(make_notebook(load_course()))
    again = run("notebook", "init", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr.startswith("error: 'engine.ipynb' already exists\nhint: ")
    assert (tmp_path / "engine.ipynb").read_bytes() == written
    (tmp_path / "gone.ipynb").symlink_to("nowhere")
    for name, told in {
        "gone.ipynb": "already exists",
        "mine.py": "did you mean mine.ipynb?",
        "no/folder.ipynb": "cannot be written",
    }.items():
        refused = run("notebook", "init", name, cwd=tmp_path)
        assert (refused.returncode, told in refused.stderr) == (2, True), refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engine.ipynb", "gone.ipynb"]
    assert run("notebook", "init", "dual.ipynb", "--course", EXAMPLE, cwd=tmp_path).returncode == 0
    assert (
        f"%env GRADE_COURSE={EXAMPLE}"
        in nbformat.read(tmp_path / "dual.ipynb", as_version=4).cells[1].source  # type: ignore[no-untyped-call]
    )


# --- %grade, without a kernel ---


class Session:
    """As much of IPython as %grade asks for."""

    def __init__(self, *cells: str) -> None:
        self.history_manager = SimpleNamespace(input_hist_raw=["", *cells])


ENGINE = (ROOT / "solutions" / "engine.py").read_text(encoding="utf-8")


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, str, list[dict[str, str]]]]:
    """What %grade says after some cells: standard output, errors, and what is displayed."""

    def line(words: str, *cells: str) -> tuple[str, str, list[dict[str, str]]]:
        shown: list[dict[str, str]] = []
        display = SimpleNamespace(display=lambda data, raw: shown.append(data) if raw else None)
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(display=display))
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            magic.grade_line(Session(*cells), words)
        return out.getvalue(), err.getvalue(), shown

    return line


def test_a_report_is_shown_as_text_and_as_html(graded: Callable[..., Any]) -> None:
    out, err, (shown,) = graded(
        "phase3", ENGINE.replace("return other + (-self)", "return self - other"), "%grade phase3"
    )
    assert (out, err) == ("", "")
    assert "✗ 3 - a is not a - 3" in shown["text/plain"]
    assert "\x1b" not in shown["text/plain"]
    assert "note:" not in shown["text/plain"]
    assert "cell [1], line " in shown["text/plain"]
    assert "Known mistake:" in shown["text/html"]
    assert "<svg" in shown["text/html"]


def test_the_style_of_a_report_stays_within_it(graded: Callable[..., Any]) -> None:
    _, _, (shown,) = graded("phase1", ENGINE)
    html = shown["text/html"]
    assert re.findall(r"<(html|head|body|script|link)\b", html) == []
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert re.fullmatch(r"\s*(\.grade-report)+ \{.*\}\s*", style, re.DOTALL)
    assert not re.search(r":root|(?m:^\s*body\b)", style)
    depths = list(accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in style.strip()))
    assert depths[-1] == 0
    assert 0 not in depths[depths.index(1) : -1]
    assert re.search(r"& \{[^}]*--ink:", style)


def test_grade_alone_shows_the_progress(graded: Callable[..., Any]) -> None:
    _, _, (shown,) = graded("", ENGINE.replace("math.tanh", "math.sinh"))
    lines = shown["text/plain"].splitlines()
    assert re.fullmatch(r"phase5 +Repeated variables +(\d+)/\1 +\d+ passed", lines[4])
    assert re.fullmatch(r"phase6 .* \d+/\d+ .*\d failed.*", lines[5])
    assert re.fullmatch(r"phase8 .* 0/\d+ +\d+ not started", lines[7])
    assert lines[8:] == ["next: phase6"]
    assert "Repeated variables" in shown["text/html"]


def test_the_last_definition_wins_and_exceptions_are_noted_in_one_line(
    graded: Callable[..., Any],
) -> None:
    cells = [
        "class Value:\n    pass",
        "Value(1)",
        ENGINE,
        "1 / 0",
        "def broken(:",
        "!ls",
        "%time 3",
        "undefined",
    ]
    _, err, (shown,) = graded("phase2", *cells)
    assert err == ""
    assert "10/10 points" in shown["text/plain"]
    (note,) = [line for line in shown["text/plain"].splitlines() if line.startswith("note:")]
    assert re.fullmatch(
        r"note: \d+ more notes about cells that raised or were stopped: add --verbose", note
    )
    _, _, (shown,) = graded("phase2 --verbose", *cells)
    assert "cell [4], line 1 raises ZeroDivisionError" in shown["text/plain"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("phase99", "error: there is no phase 'phase99'"),
        ("--nonsense", "error: No such option"),
        ('"phase1', 'error: %grade "phase1: No closing quotation'),
        ("watch phase1", "hint: in a terminal: grade watch phase1"),
        ("phase1 --at x.py", "error: --at, --format and --output do not work with %grade"),
        ("phase1 --format json", "hint: use them in a terminal"),
        ("phase1 --course nowhere", "error: there is no folder"),
    ],
)
def test_unsupported_words_are_refused_in_two_lines(
    words: str, told: str, graded: Callable[..., Any]
) -> None:
    out, err, shown = graded(words, ENGINE)
    assert (out, shown) == ("", [])
    assert told in err
    assert [line.partition(":")[0] for line in err.splitlines()] == ["error", "hint"]


@pytest.mark.slow
def test_the_checklist_grades_the_cells_and_keeps_ticks_next_to_the_notebook(
    graded: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err, _ = graded("checklist --tick like-pytorch", ENGINE)
    assert err == ""
    assert "[x] I can make all the basic operations work" in out
    assert "[ ] I can build a Neuron class" in out
    assert "[w] I can run an expression in my engine and in PyTorch" in out
    assert "%grade checklist --tick" in out
    assert TICKED.load(tmp_path) == {"like-pytorch"}
    assert graded("checklist")[1].startswith("error: this notebook has no code cell")


def test_the_solution_is_shown_once_the_cells_pass(
    graded: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err, _ = graded("solution phase1", ENGINE)
    assert (err, "def __init__(self, data" in out) == ("", True)
    out, err, _ = graded("solution phase1", "class Value: pass")
    assert (out, err.splitlines()[0]) == ("", "error: phase1 does not pass yet")
    assert "%grade solution phase1 --spoil" in err


def test_a_hint_opens_in_the_notebook_wherever_the_command_is(
    graded: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    out, err, shown = graded("hint phase1")
    assert "1 of 4: idea" in out
    assert (err, shown) == ("", [])


def test_an_error_of_the_kit_shows_no_frames(
    graded: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(magic, "judge", lambda *_: 1 / 0)
    assert graded("phase1", ENGINE)[1].startswith(
        "error: the grader failed: ZeroDivisionError: division by zero\nhint: "
    )
    monkeypatch.undo()
    monkeypatch.setattr(magic, "_BOOT", "raise SystemExit('no way')")
    assert "error: the grader ended without a report: no way" in graded("phase1", ENGINE)[1]


def test_nothing_run_yet_is_not_started_or_refused_in_a_sentence(
    graded: Callable[..., Any],
) -> None:
    _, err, (shown,) = graded("phase1", "%grade phase1")
    assert (err, "6 not started" in shown["text/plain"]) == ("", True)


def test_a_phase_that_is_called_like_a_command_is_a_phase(graded: Callable[..., Any]) -> None:
    _, err, (shown,) = graded("by-hand", ENGINE)
    assert (err, shown["text/plain"].startswith("by-hand  By hand  0/")) == ("", True)


def test_files_of_the_learner_do_not_reach_the_judge(
    graded: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random", "json", "engine", "pytest"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('mine')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "6/6 points" in graded("phase1", ENGINE)[2][0]["text/plain"]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".py"] * 4


def test_cells_that_are_run_again_and_again_are_not_too_much(graded: Callable[..., Any]) -> None:
    again = [ENGINE] * (magic.MAX_CODE // len(ENGINE) + 2)
    assert "6/6 points" in graded("phase1", *again)[2][0]["text/plain"]
    _, err, _ = graded("phase1", *(f"x = {number}\n{'#' * 1000}" for number in range(300)))
    assert "hint: restart the kernel" in err


def test_importing_the_package_imports_nothing_else() -> None:
    script = (
        "import sys, grader; print([name for name in sys.modules if name.startswith(('grader.',"
        " 'click', 'IPython', 'nbformat'))])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
        ).stdout
        == "[]\n"
    )


# --- the picture ---


def node(
    depth: int,
    expression: str,
    *operands: int,
    gradient: float = 1.0,
    right: float = 1.0,
    first: bool = False,
) -> TreeNode:
    return TreeNode(
        depth, expression, 2.0, gradient, 2.0, right, first_wrong=first, operands=operands
    )


def boxes_of(drawn: str) -> list[tuple[float, float]]:
    return [
        (float(x), float(y))
        for x, y in re.findall(r'<rect class="[^"]+" x="(\S+)" y="(\S+)"', drawn)
    ]


def test_the_picture_has_a_box_for_each_node_and_a_line_for_each_use() -> None:
    tree = [
        node(0, "f = (a * b) + c", 1, 4),
        node(1, "a * b", 2, 3),
        node(2, "a", gradient=0.0, right=3.0, first=True),
        node(2, "b < 1"),
        node(1, "c"),
    ]
    drawn = page("graph.svg", picture=picture(tree))
    assert (drawn.count("<rect"), drawn.count("<path"), drawn.count('class="node first"')) == (
        5,
        4,
        1,
    )
    assert "grad 0.0 ≠ 3.0" in drawn
    assert "b &lt; 1" in drawn
    boxes = boxes_of(drawn)
    assert len(set(boxes)) == 5
    assert boxes[0][0] > boxes[1][0] > boxes[2][0] == boxes[3][0]
    assert boxes[1][1] == pytest.approx((boxes[2][1] + boxes[3][1]) / 2)
    assert boxes[3][1] < boxes[4][1]


def test_a_node_stands_left_of_everything_that_uses_it_with_a_line_for_each_use() -> None:
    tree = [
        node(0, "f = a + s * a", 1, 2),
        node(1, "a"),
        node(1, "s * a", 3, 1),
        node(2, "s = a * a", 1, 1),
    ]
    drawn = page("graph.svg", picture=picture(tree))
    boxes = boxes_of(drawn)
    lines = re.findall(r' d="([^"]+)"', drawn)
    assert boxes[1][0] < boxes[3][0] < boxes[2][0] < boxes[0][0]
    assert (len(boxes), len(lines), len(set(lines))) == (4, 6, 6)


BREADTH_FIRST = """topo = [self]
        for node in topo:
            topo += [operand for operand in node._prev if operand not in topo]
        self.grad = 1.0
        for node in topo:"""


def test_the_graph_of_a_real_failure_has_a_line_for_each_use(tmp_path: Path) -> None:
    wrong = ENGINE.replace(
        "topo = self.build_topo()\n        self.grad = 1.0\n        for node in reversed(topo):",
        BREADTH_FIRST,
    )
    (tmp_path / "engine.py").write_text(wrong, encoding="utf-8")
    tree, *_ = [
        result.diagnosis.tree
        for phase in grade(tmp_path, ["4"]).phases
        for result in phase.checkpoints
        if result.diagnosis
    ]
    uses = [place for found in tree for place in found.operands]
    assert set(uses) == set(range(1, len(tree)))
    assert len(uses) > len(set(uses))
    assert page("graph.svg", picture=picture(tree)).count("<path") == len(uses)
    for found in tree:
        assert bool(found.operands) == ("Value(" not in found.expression)


def test_one_node_or_very_many_get_no_picture() -> None:
    assert [
        bool(
            picture(
                [
                    node(depth, "x", *range(depth + 1, min(depth + 2, count)))
                    for depth in range(count)
                ]
            )
        )
        for count in (0, 1, 2, MAX_NODES, MAX_NODES + 1)
    ] == [False, False, True, True, False]


# --- in a real kernel ---

_KERNEL = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, kernel_name="python3", timeout=100, allow_errors=True).execute()
nbformat.write(notebook, sys.argv[1])
"""


def executed(notebook: Any, folder: Path) -> list[Any]:
    """The code cells, with what a real kernel made of them, which has a folder to itself."""
    file = folder / "run.ipynb"
    file.write_text(notebook_text(notebook), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(folder / "ipython"),
        "FORCE_COLOR": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", _KERNEL, str(file)],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [cell for cell in nbformat.read(file, as_version=4).cells if cell.cell_type == "code"]  # type: ignore[no-untyped-call]


def of(cells: list[Any], source: str) -> Any:
    """The one thing that the cell with this source put out."""
    (output,) = next(cell for cell in cells if cell.source == source).outputs
    return output


def notebook_of(*sources: str) -> Any:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])  # type: ignore[no-untyped-call]


@has_kernel
def test_the_whole_notebook_in_a_kernel(tmp_path: Path) -> None:
    course = load_course()
    cells = executed(filled(course, Value_of___pow__=WRONG["Value_of___pow__"]), tmp_path)
    reports = {
        cell.source: of(cells, cell.source).data
        for cell in cells
        if cell.source.startswith("%grade")
    }
    assert list(reports) == [f"%grade {stage.id}" for stage in course.stages if not stage.optional]
    done = [
        source
        for source, data in reports.items()
        if re.search(r"^(\d+)/\1 points", data["text/plain"], re.MULTILINE)
    ]
    assert done == ["%grade phase1", "%grade phase2", "%grade phase7"]
    assert "✗ a ** n gives a the gradient" in reports["%grade phase3"]["text/plain"]
    assert "data-id=" in reports["%grade phase3"]["text/html"]
    assert "<svg" in reports["%grade phase3"]["text/html"]
    assert not [
        output for cell in cells for output in cell.outputs if output.output_type != "display_data"
    ]


@has_kernel
def test_the_kit_adds_nothing_to_the_learners_names(tmp_path: Path) -> None:
    names = "print(sorted(name for name in globals() if not name.startswith('_')), len(Out), _)"
    cells = executed(
        notebook_of(
            "%load_ext grader",
            names,
            "%grade phase1",
            "%grade",
            "%grade nonsense",
            "%grade hint",
            names + " ",
            "1 + 1",
            "%grade phase1 ",
            "_",
        ),
        tmp_path,
    )
    assert of(cells, names).text == of(cells, names + " ").text
    assert of(cells, "_").data["text/plain"] == "2"
    assert of(cells, "%grade nonsense").name == "stderr"
    assert "Traceback" not in json.dumps(cells)
    assert [file.name for file in (tmp_path / ".grade").iterdir()] == ["hints.json"]


@has_kernel
def test_an_unusual_kernel_is_still_graded(tmp_path: Path) -> None:
    sources = [
        "%load_ext grader",
        (
            "import asyncio\n"
            "async def forever():\n"
            "    while True:\n"
            "        await asyncio.sleep(0.01)\n"
            "task = asyncio.create_task(forever())\n"
            "await asyncio.sleep(0.05)"
        ),
        ENGINE,
        "import math, sys\nmath.tanh = abs\nIn = Out = None\nprint = len",
        "1 / 0\ndef never(): pass",
        "%grade phase2",
        "await asyncio.sleep(0.1)\ntask.done()",
    ]
    cells = executed(notebook_of(*sources), tmp_path)
    assert "10/10 points" in of(cells, "%grade phase2").data["text/plain"]
    assert of(cells, sources[-1]).data["text/plain"] == "False"


@has_kernel
def test_another_course_in_a_kernel(tmp_path: Path) -> None:
    cells = executed(filled(load_course(EXAMPLE)), tmp_path)
    for phase in ("phase1", "phase2", "phase3"):
        assert re.search(
            r"^(\d+)/\1 points", of(cells, f"%grade {phase}").data["text/plain"], re.MULTILINE
        )


@pytest.fixture
def stopped() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are ended when the test is over."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def test_an_interrupt_ends_the_judge_and_says_so(
    tmp_path: Path, stopped: list[subprocess.Popen[str]]
) -> None:
    script = (
        "import sys, types\n"
        "sys.modules['IPython'] = "
        "types.SimpleNamespace(display=types.SimpleNamespace(display=print))\n"
        "from grader.cli import ipython as magic\n"
        "class Judge(magic.subprocess.Popen):\n"
        "    def communicate(self):\n"
        "        print('judging', flush=True)\n"
        "        return super().communicate()\n"
        "magic.subprocess.Popen = Judge\n"
        "session = types.SimpleNamespace(history_manager=types.SimpleNamespace(input_hist_raw=["
        "'', *['while True: pass'] * 50]))\n"
        "magic.grade_line(session, 'all')\n"
        "print('after')"
    )
    stopped.append(
        subprocess.Popen(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=tmp_path,
        )
    )
    assert stopped[0].stdout is not None
    assert stopped[0].stdout.readline() == "judging\n"
    stopped[0].send_signal(signal.SIGINT)
    assert stopped[0].communicate(timeout=60) == ("after\n", "stopped\n")


@has_ipython
def test_plain_ipython_shows_text(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(
        "%load_ext grader\nclass Value: pass\n\n%grade phase1\nexit\n", encoding="utf-8"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "TERM": "dumb",
    }
    command = [
        sys.executable,
        "-m",
        "IPython",
        "--simple-prompt",
        "--no-banner",
        "--colors=NoColor",
    ]
    with (tmp_path / "mine.txt").open(encoding="utf-8") as keys:
        done = subprocess.run(
            command,
            stdin=keys,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
    assert "0/6 points" in done.stdout
    assert "<div" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@has_ipython
def test_a_hint_in_a_notebook_names_the_magic_and_not_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "next: \x1b[1mgrade hint Value.__mul__; grade phase3; in a terminal: grade trace a*b\n"
    monkeypatch.setattr(magic, "_run", lambda _words: (said, ""))
    magic.grade_line(None, "hint phase3")
    shown = capsys.readouterr().out
    assert shown.count("%grade ") == 2
    assert shown.endswith(": grade trace a*b\n")
