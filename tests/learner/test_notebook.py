"""The course as a notebook: what is written into it, what its cells grade as, and `%grade` in a
real kernel.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

from grader.cli import ipython as magic
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE, Course
from grader.learner.editing import functions_in, replace_functions
from grader.learner.notebook import make_notebook, notebook_text
from grader.model import Verdict
from support import EXAMPLE, ROOT, changed, there
from support.grading import grade

pytestmark = pytest.mark.slow

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


def filled(course: Course, **others: str) -> Any:
    """The notebook with solutions in place of the stubs, `others` in place of those."""
    notebook = make_notebook(course)
    sources = {stage.file: course.solutions / stage.file for stage in course.stages}
    written = {
        name: text
        for file, path in sources.items()
        for name, text in functions_in(path.read_bytes(), file).items()
    } | {name.replace("_of_", ".", 1): text.encode() for name, text in others.items()}
    for cell in code_cells(notebook):
        source = cell.source.encode()
        own = {name: written[name] for name in functions_in(source, "") if name in written}
        cell.source = replace_functions(source, own, "").decode()
    first = code_cells(notebook)[0]  # what the solutions import, besides each other
    first.source = f"import math, random\n\n{first.source}"
    return notebook


def written(notebook: Any, folder: Path) -> Path:
    (folder / "mine.ipynb").write_text(notebook_text(notebook), encoding="utf-8")
    return folder / "mine.ipynb"


# --- what is written ---


@pytest.mark.parametrize("make", [make_notebook, filled])
@pytest.mark.parametrize("folder", COURSES.values(), ids=COURSES)
def test_stubs_and_solutions_in_the_cells_grade_as_in_the_files(
    folder: Path, make: Callable[[Course], Any], tmp_path: Path
) -> None:
    course = load_course(folder)
    file = written(make(course), tmp_path)
    nbformat.validate(nbformat.read(file, as_version=4))  # type: ignore[no-untyped-call]
    report = grade(file, course=course)
    verdict = Verdict.PASSED if make is filled else Verdict.NOT_STARTED
    assert ({one.verdict for one in report.checkpoints}, report.notes) == ({verdict}, ())


WRONG_POWER = (
    "def __pow__(self, exponent):\n"
    "    return Value(self.data ** exponent, (self,), f'**{exponent}')"
)


# --- %grade, without a kernel ---


class Session:
    """As much of IPython as %grade asks for."""

    def __init__(self, *cells: str) -> None:
        self.history_manager = SimpleNamespace(input_hist_raw=["", *cells])

    def set_next_input(self, text: str) -> None:
        """Print the cell that would appear below."""
        print(f"next cell:\n{text}")


ENGINE = changed()


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


WRONG = changed(("return other + (-self)", "return self - other"))


def test_the_style_of_a_report_stays_within_it(graded: Callable[..., Any]) -> None:
    _, _, (shown,) = graded("phase1", ENGINE)
    html = shown["text/html"]
    assert re.findall(r"<(html|head|body|script|link)\b", html) == []
    (style,) = re.findall(r"<style>\s*(.*?)\s*</style>", html, re.DOTALL)
    assert re.fullmatch(r"(\.grade-report)+ \{.*\}", style, re.DOTALL)
    depths = list(accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in style))
    assert depths.index(0, depths.index(1)) == len(depths) - 1


FOOT = "the whole story: %grade why    try it yourself: %grade try    stuck? %grade hint"
CELLS = ["class Value: pass", "Value(1)", ENGINE, "1 / 0", "def broken(:", "!ls", "%time 3"]
PROGRESS = r"""
phase5 +Repeated variables +✓+ +(\d+)/\1
phase6 [^\n]*✗[^\n]* \d+/\d+
phase7 [^\n]*
phase8 [^\n]* 0/\d+
"""
SHOWN = {
    "what can be done about a failure": ("phase3.number-minus", [WRONG], rf"{re.escape(FOOT)}\Z"),
    "the progress": ("", [changed(("math.tanh", "math.sinh"))], PROGRESS),
    "no note about cells, and the last definition": ("phase2", CELLS, r"\A(?!.*cell \[4\]).*10/10"),
    "all notes": ("phase2 --verbose", CELLS, r"cell \[4\], line 1 raises ZeroDivisionError"),
    "what is not there yet": ("phase1", ["%grade phase1"], "▫▫▫▫▫▫   0/6"),
    "a phase called like a command": ("by-hand", [ENGINE], "by-hand  By hand   "),
}


@pytest.mark.parametrize(("words", "cells", "pattern"), SHOWN.values(), ids=SHOWN)
def test_a_report_is_shown_as_text(
    words: str, cells: list[str], pattern: str, graded: Callable[..., Any]
) -> None:
    _, err, (shown,) = graded(words, *cells)
    assert err == ""
    assert re.search(pattern, shown["text/plain"], re.DOTALL)


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


@pytest.mark.parametrize(
    ("words", "cells", "told"),
    [
        ("why", [WRONG], ["number-minus", "← first wrong", "To paste into Python", "\nprint("]),
        ("why phase1", [ENGINE], ["nothing to explain"]),
        ("try", [WRONG], ["the next cell has the lines", "next cell:\na = Value("]),
        (
            "checklist --tick like-pytorch",
            [ENGINE],
            [
                "%grade checklist --tick",
                "[x] I can make all",
                "[ ] I can build a Neuron",
                "[w] I can run an expression",
            ],
        ),
        ("checklist", [], ["error: this notebook has no code cell"]),
        ("hint phase1", [], ["1 of 4: idea"]),
        ("solution phase1", [ENGINE], ["def __init__(self, data"]),
        (
            "solution phase1",
            ["class Value: pass"],
            ["error: phase1 does not pass yet", "%grade solution phase1 --spoil"],
        ),
    ],
)
def test_other_commands_look_at_the_cells(
    words: str,
    cells: list[str],
    told: list[str],
    graded: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err, shown = graded(words, *cells)
    assert ([text for text in told if text not in out + err], shown) == ([], [])
    assert bool(err) == told[0].startswith("error: ")


def test_an_error_of_the_kit_shows_no_frames(
    graded: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(magic, "_BOOT", "raise SystemExit('no way')")
    assert "error: the grader ended without a report: no way" in graded("phase1", ENGINE)[1]
    monkeypatch.setattr(magic, "judge", lambda *_: 1 / 0)
    assert graded("phase1", ENGINE)[1].startswith(
        "error: the grader failed: ZeroDivisionError: division by zero\nhint: "
    )


def test_files_of_the_learner_do_not_reach_the_judge(
    graded: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random", "json", "engine", "pytest"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('mine')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "6/6" in graded("phase1", ENGINE)[2][0]["text/plain"]
    assert len(list(tmp_path.iterdir())) == 4


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
    cells = executed(filled(course, Value_of___pow__=WRONG_POWER), tmp_path)
    reports = [of(cells, cell.source).data for cell in cells if cell.source.startswith("%grade")]
    assert [
        stage.id
        for stage, report in zip(course.stages, reports)
        if re.search(r" (\d+)/\1$", report["text/plain"], re.MULTILINE)
    ] == ["phase1", "phase2", "phase7"]
    assert "✗ a ** n passes grad * n" in reports[2]["text/plain"]
    for told in ("data-id=", "<svg"):
        assert told in reports[2]["text/html"]
    assert {output.output_type for cell in cells for output in cell.outputs} == {"display_data"}


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
    assert [file.name for file in (tmp_path / ".grade").iterdir()] == ["progress.json"]


def test_an_interrupt_ends_the_judge_and_says_so(tmp_path: Path) -> None:
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
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=tmp_path,
    ) as process:
        assert there(process.stdout).readline() == "judging\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("after\n", "stopped\n")


@has_ipython
def test_plain_ipython_shows_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor"],
        input="%load_ext grader\nclass Value: pass\n\n%grade phase1\nexit\n",
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path), "TERM": "dumb"},
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert "0/6" in done.stdout
    assert not re.search("<div|Traceback", done.stdout + done.stderr)
