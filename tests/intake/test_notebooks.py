"""Notebooks as learners have them: each is graded as the code in it, whatever else is in it."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader import Report
from grader.curriculum.load import load_course
from grader.errors import SubmissionError
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.session import Session
from grader.model import Kind, Verdict
from grader.worker import cells as worker_cells
from support import kit_folder, put, tells
from support.fake import InProcess
from support.grading import grade
from support.mistakes import splice
from support.notebooks import (
    COLAB,
    ENGINE,
    ERROR,
    NN,
    STREAM,
    WIDGETS,
    Cell,
    code,
    in_pieces,
    notebook,
    output,
    saved,
    text,
    version_3,
)

WRONG = splice(
    ENGINE,
    'class Value:\n    def __add__(self, other):\n        return Value(self.data, (self,), "+")\n',
)
PLOT = (
    "import matplotlib.pyplot as plt\n"
    "%matplotlib inline\n"
    "plt.rcParams['figure.dpi'] = 100\n"
    "fig, ax = plt.subplots()\n"
    "for line in ax.lines:\n"
    "    line.hide()\n"
)
DEMO = (
    "from random import seed\n"
    "seed(1)\n"
    "a = Value(2.0)\n"
    "b = Value(-3.0)\n"
    "c = a * b\n"
    "c.backward()\n"
    "print(a.grad)\n"
    "c"
)

GOOD: dict[str, Cell | bytes] = {
    "lone surrogates in a source": (
        json.dumps(notebook(ENGINE, "x = 'HERE'")).replace("HERE", "\\ud800").encode()
    ),
    "a cell for everything": notebook(f"import math\n{ENGINE}\n{DEMO}"),
    "a cell for each method": notebook(*in_pieces()),
    "class Value(Value), again and again": notebook(
        ENGINE.replace("def __mul__", "def nothing"),
        "class Value(Value):\n"
        "    def __mul__(self, other):\n"
        "        other = other if isinstance(other, Value) else Value(other)\n"
        "        out = Value(self.data * other.data, (self, other), '*')\n"
        "        def _backward():\n"
        "            self.grad += other.data * out.grad\n"
        "            other.grad += self.data * out.grad\n"
        "        out._backward = _backward\n"
        "        return out",
    ),
    "the last class of many counts": notebook(
        "class Value:\n    def __init__(self, x):\n        self.data = x", WRONG, DEMO, ENGINE
    ),
    "a kernel that was restarted": notebook(
        code(ENGINE, 1), code(DEMO, 2, [STREAM]), code("print(a)", None)
    ),
    "cells that were deleted": notebook(
        code(ENGINE, 17), code("print(gone)\ngone.backward()", 42, [STREAM])
    ),
    "cells out of order": notebook(code(ENGINE, 9), code(DEMO, 3), code("print(a)", 12)),
    "outputs of megabytes": notebook(code(ENGINE, 1), code(DEMO, 2, [output(5 << 20), STREAM])),
    "format 3": version_3(ENGINE, "%pylab inline\n" + DEMO, "!ls"),
    "ids, as of format 4.5": notebook(text("# Mine"), ENGINE, DEMO, ids=True),
    "sources that are texts": notebook(text("raw", "raw"), ENGINE, "", DEMO, lines=False),
    "widgets": notebook(
        "from ipywidgets import interact\nimport ipywidgets as w\nw.IntSlider(3)",
        ENGINE,
        "interact(lambda x: x, x=w.IntSlider())",
        metadata=WIDGETS,
    ),
    "Colab": notebook(
        '#@title Setup { display-mode: "form" }\n'
        "!pip install -q micrograd \\\n"
        "    graphviz\n"
        "from google.colab import drive\n"
        "drive.mount('/content/drive')\n"
        "%cd /content/drive",
        code(ENGINE, metadata={"id": "AbC", "colab": {"base_uri": "https://localhost:8080/"}}),
        'rate = 0.1 #@param {type:"number"}',
        metadata=COLAB,
    ),
    "VS Code": notebook(code(ENGINE, 1, metadata={"vscode": {"languageId": "python"}})),
    "plots": notebook(
        PLOT + "from graphviz import Digraph\n" + ENGINE,
        "def draw(root):\n    return Digraph()\ndraw(Value(1.0))",
        "plt.plot([1, 2]); plt.show()",
    ),
    "demos that raise": notebook(
        "1 / 0",
        ENGINE,
        code("Value('a') + None\nundefined", 3, [ERROR]),
        "raise KeyboardInterrupt",
        "import sys\nsys.exit()",
    ),
    "a demo that raises above the class, in its cell": notebook(
        "open('data.csv')\nassert False\n" + ENGINE
    ),
    "input and display": notebook(
        "name = input('who are you? ')\nprint(name)\ndisplay(name)\n" + ENGINE,
        "display(Value(3.0))\n"
        "get_ipython().run_line_magic('ls', '')\n"
        "if 'IPKernelApp' in get_ipython().config:\n"
        "    pass",
    ),
    "await at the top level": notebook(
        "import asyncio\nawait asyncio.sleep(10)\n" + ENGINE, "async with x: pass"
    ),
    "shell and magics everywhere": notebook(
        "%load_ext autoreload\n"
        "%autoreload 2\n"
        "!pip install numpy\n"
        "pip install torch\n"
        "?Value\n"
        "Value?\n"
        "Value.backward??\n"
        "files = !ls *.py\n"
        "names = %who_ls\n"
        "for name in [1]:\n"
        "    !echo don't {name}\n"
        "if True:\n"
        "    %time z = 3\n" + ENGINE,
        "%%bash\nls | grep '",
        "%%html\n<b>it's</b>",
        "%%timeit\nValue(1.0)",
        "%%time\n\n" + DEMO,
        "%time c.backward()\n%timeit -n 10 c.backward()",
    ),
    "text that looks like magics": notebook(
        ENGINE.replace(
            "class Value",
            'NOTE = """\n'
            "%matplotlib inline\n"
            "!rm -rf /\n"
            "Value?\n"
            '"""\n'
            "REST = (7\n"
            "    % 4\n"
            "    != 3)\n"
            "\n"
            "class Value",
            1,
        )
    ),
    "%%writefile": notebook(
        "%%writefile engine.py\n" + ENGINE,
        "from engine import Value\nimport engine\nengine.Value(1.0)",
    ),
    "%%writefile in a package": notebook(
        "%%writefile micrograd/__init__.py\nfrom .engine import Value",
        "%%writefile micrograd/engine.py\n" + ENGINE,
        "%%writefile micrograd/nn.py\nfrom micrograd.engine import Value",
        "import micrograd, micrograd.engine as e\nfrom micrograd import Value\n"
        "assert e.Value is micrograd.Value is Value",
    ),
    "%%capture and %%time": notebook("%%capture\n%%time\n" + ENGINE),
    "a guarded demo": notebook(ENGINE, 'if __name__ == "__main__":\n    while True:\n        pass'),
    "an unfinished cell below": notebook(
        ENGINE, "class Neuron:\n    def __init__(self, nin):\n        self.w = [", "def f(:"
    ),
    "annotations from the future, for cells below": notebook(
        "from __future__ import annotations",
        ENGINE.replace("def __add__(self, other)", "def __add__(self, other: Later) -> Later"),
    ),
    "a training loop that takes minutes": notebook(
        ENGINE, "for step in range(10**12):\n    loss = step\nprint(loss)", "done = True"
    ),
    "loops and the class in one cell": notebook(
        "while True:\n    try:\n        pass\n    except BaseException:\n        pass\n"
        + ENGINE
        + "\nimport time\ntime.sleep(1000)"
    ),
    "line ends of Windows": notebook(ENGINE.replace("\n", "\r\n"), "!dir\r\nprint(1)\r\n"),
    "a coding line, and letters": notebook(
        "# -*- coding: latin-1 -*-\nnäme = 'ü'\nassert len(näme) == 1\n" + ENGINE
    ),
    "a cell of an unknown kind, and one without a source": notebook(ENGINE)
    | {"cells": [{"cell_type": "code"}, code(ENGINE), text("x", "nonsense")]},
    "no metadata": {"cells": [{"cell_type": "code", "source": ENGINE}]},
    "stubs of its own, filled in below": notebook(
        "class Value:\n    def __init__(self, data):\n        raise NotImplementedError",
        ENGINE,
        "Value(1.0)",
    ),
}


@pytest.fixture
def graded(tmp_path: Path) -> Callable[..., Report]:
    """Grades a notebook."""

    def report(made: Cell | bytes, *phases: str) -> Report:
        (tmp_path / "mine.ipynb").write_bytes(made if isinstance(made, bytes) else saved(made))
        return grade(tmp_path / "mine.ipynb", phases or ("2-3",))

    return report


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_a_right_engine_passes_in_every_notebook(graded: Callable[..., Report], name: str) -> None:
    report = graded(GOOD[name])
    assert report.exit_code == 0, [
        *report.notes,
        *(result.message for result in report.checkpoints if result.message),
    ]


@pytest.mark.slow
def test_a_wrong_engine_fails_in_a_notebook_in_the_last_definition_only(
    graded: Callable[..., Report],
) -> None:
    report = graded(notebook(ENGINE, WRONG), "phase2")
    assert {result.verdict for result in report.checkpoints} >= {Verdict.FAILED}
    assert graded(notebook(WRONG, "def unrelated(): pass", ENGINE), "phase2").exit_code == 0


@pytest.mark.slow
def test_files_in_a_notebook_are_graded_as_the_files(graded: Callable[..., Report]) -> None:
    course = load_course()
    for kind in ("solutions", "exercises"):
        folder = kit_folder(kind)
        report = graded(
            notebook(*((folder / name).read_text(encoding="utf-8") for name in course.files)),
            "all",
            "ext1-ext3",
        )
        straight = grade(folder, ["all", "ext1-ext3"])
        assert [(result.id, result.verdict) for result in report.checkpoints] == [
            (result.id, result.verdict) for result in straight.checkpoints
        ]


NOTES: dict[str, list[str]] = {
    "cells out of order": ["cell 2 was last run before cell 1 above it"],
    "plots": [
        "cell 1, line 2: %matplotlib inline is skipped",
        "matplotlib is not available",
        "graphviz is not available",
    ],
    "demos that raise": [
        "cell 1, line 1 raises ZeroDivisionError: division by zero",
        "cell 3, line 1 raises",
        "cell 4, line 1 raises KeyboardInterrupt",
        "cell 5, line 2 raises SystemExit",
    ],
    "a demo that raises above the class, in its cell": ["cell 1, line 1 raises"],
    "input and display": ["cell 1, line 1 raises EOFError"],
    "await at the top level": [
        "cell 1, line 2 is not valid Python ('await' outside function), so it is skipped"
    ],
    "shell and magics everywhere": [
        "cell 1, line 1: %load_ext autoreload is skipped",
        "more lines are skipped",
    ],
    "an unfinished cell below": [
        "cell 2, line 3 is not valid Python (a `]` is missing), so it is skipped",
        "cell 3, line 1 is not valid Python",
    ],
    "a training loop that takes minutes": [
        "cell 2, line 1 takes too long and was stopped; the rest still runs"
    ],
    "Colab": [
        "cell 1, line 2: !pip install -q micrograd \\ is skipped",
        "cell 1, line 6: %cd /content/drive is skipped",
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTES)
def test_skipped_and_failing_statements_are_noted(graded: Callable[..., Report], name: str) -> None:
    tells("\n".join(graded(GOOD[name], "phase1").notes), *NOTES[name])


@pytest.mark.slow
def test_a_quiet_notebook_has_no_notes(graded: Callable[..., Report]) -> None:
    for name in (
        "a cell for each method",
        "text that looks like magics",
        "outputs of megabytes",
        "a guarded demo",
        "%%writefile in a package",
    ):
        assert graded(GOOD[name], "phase1").notes == ()
    # nor does a line raise that uses a missing package
    assert not any("raises" in note for note in graded(GOOD["plots"], "phase1").notes)


@pytest.mark.slow
def test_frames_are_in_cells(graded: Callable[..., Report]) -> None:
    broken = splice(
        ENGINE, "class Value:\n    def __mul__(self, other):\n        return helper(self)\n"
    )
    report = graded(
        notebook("import math", "def helper(x):\n    return x.nothing", broken), "phase3"
    )
    frames = next(result.frames for result in report.checkpoints if result.frames)
    assert [(frame.file, frame.function) for frame in frames] == [
        ("cell 3", "__mul__"),
        ("cell 2", "helper"),
    ]
    assert (frames[1].line, frames[1].source, frames[1].place) == (
        2,
        "return x.nothing",
        "cell 2, line 2",
    )


@pytest.mark.slow
def test_the_lines_to_try_are_for_the_notebook(graded: Callable[..., Report]) -> None:
    report = graded(notebook(WRONG), "phase2")
    reproduced = "".join(result.reproduce for result in report.checkpoints)
    tells(reproduced, "print(", hides=["import"])


@pytest.mark.parametrize(
    ("cells", "phase", "verdict", "kind", "message"),
    [
        ([ENGINE], "phase7", Verdict.NOT_STARTED, None, "`Neuron`"),
        (
            [ENGINE, NN.replace("class Layer", "class Layer(:", 1)],
            "phase7",
            Verdict.FAILED,
            Kind.SYNTAX,
            "cell 2, line",
        ),
        (
            ["from engine import Value\nValue(1.0)"],
            "phase1",
            Verdict.FAILED,
            Kind.MISSING_NAME,
            "cell 1, line 1 raises ImportError: cannot import name 'Value'",
        ),
        (
            [ENGINE, "import os\nos._exit(0)"],
            "phase1",
            Verdict.FAILED,
            Kind.EXITED,
            "running the cells ends the interpreter",
        ),
    ],
    ids=["missing", "in a broken cell", "only imported", "lost with the interpreter"],
)
def test_what_a_notebook_lacks_is_not_started_or_has_failed(
    graded: Callable[..., Report],
    cells: list[str],
    phase: str,
    verdict: Verdict,
    kind: Kind | None,
    message: str,
) -> None:
    report = graded(notebook(*cells), phase)
    assert {(r.verdict, r.kind) for r in report.checkpoints} == {(verdict, kind)}
    assert message in report.checkpoints[0].message


def test_when_the_time_for_all_cells_is_used_up_only_definitions_are_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_cells, "ALL_SECONDS", -1.0)
    cells = [
        File(f"cell {number}", f"cell {number}", source.encode(), "cell")
        for number, source in enumerate(["1 / 0", ENGINE, "2 / 0"], 1)
    ]
    session = Session(InProcess, Submission("here", tuple(cells)), "engine", ["Value"], ["engine"])
    states = session.load()
    session.close()
    assert states["Value"].state == "present"
    assert [note.trouble for note in session.memory.notes] == [
        "together the cells take too long; from cell 1, line 1 on, only definitions are run"
    ]


@pytest.mark.slow
def test_swapped_phases_go_into_the_notebooks_own_class(tmp_path: Path) -> None:
    (tmp_path / "mine.ipynb").write_bytes(saved(notebook(WRONG, NN)))
    assert grade(tmp_path / "mine.ipynb", ["phase4"]).exit_code == 1
    for swap in ("1-3", "1-6"):
        assert (
            grade(tmp_path / "mine.ipynb", ["7"] if swap == "1-6" else ["4"], swap=swap).exit_code
            == 0
        )


def test_a_folder_may_hold_a_notebook_only(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {
        "mine.ipynb": saved(notebook("from helpers import right\n" + ENGINE)),
        "helpers.py": "right = True",
        ".ipynb_checkpoints/mine-checkpoint.ipynb": "old",
    }
    put(tmp_path, files)
    with pytest.raises(SubmissionError, match="not clear"):
        grade(tmp_path, ["phase1"])
    (tmp_path / "helpers.py").rename(tmp_path / "test_x.py")
    report = grade(tmp_path, ["phase1"])
    assert report.exit_code == 0
    alone = "'mine.ipynb' is graded because it is the only candidate in the folder"
    assert report.notes[0] == alone
    (tmp_path / "engine.py").write_text(ENGINE)
    assert grade(tmp_path, ["phase1"]).notes == ()


BAD: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"# a comment", "is not valid JSON"),
    "cut": (saved(notebook(ENGINE))[:-50], "is not valid JSON"),
    "a list": (b"[]", "is not a notebook"),
    "no cells": (b"{}", "is not a notebook"),
    "cells of another kind": (b'{"cells": {"a": 1}}', "is not a notebook"),
    "a cell that is a number": (b'{"cells": [3]}', "is not a notebook"),
    "a source that is a number": (
        b'{"cells": [{"cell_type": "code", "source": 3}]}',
        "is not a notebook",
    ),
    "no code": (saved(notebook(text("# Only words"))), "has no code cell"),
    "R": (
        saved(
            notebook(
                "x <- 1", metadata={"kernelspec": {"language": "R"}, "language_info": {"name": "R"}}
            )
        ),
        "for r, not Python",
    ),
    "UTF-16": (saved(notebook(ENGINE)).decode().encode("utf-16"), "is not valid JSON"),
    "nested": (b"[" * 200_000, "cannot be read"),
    "many cells": (saved(notebook(*["x"] * 1_001)), "more than 1000 code cells"),
    "much code": (saved(notebook("#" * 300_000)), "or 256 KiB of code"),
    "too large": (saved(notebook(ENGINE)) + b" " * (17 << 20), "larger than 16 MiB"),
    "memory": (
        b'{"cells": [' + b"{}," * 4_000_000 + b"{}]}",
        "takes too much memory|is not a notebook",
    ),
    "a huge number": (b'{"cells": ' + b"9" * 5_000_000 + b"}", "JSON|cannot be read"),
    "null bytes": (b"\0" * 1000, "is not valid JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_not_a_notebook_is_refused_with_the_reason(
    tmp_path: Path, name: str
) -> None:
    data, why = BAD[name]
    (tmp_path / "mine.ipynb").write_bytes(data)
    with pytest.raises(SubmissionError, match=f"mine.ipynb' .*({why})") as refused:
        read_submission(tmp_path / "mine.ipynb", load_course().files)
    assert refused.value.exit_code == 2


def test_a_byte_order_mark_and_a_browser_s_name_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "mine.ipynb.txt").write_bytes(codecs.BOM_UTF8 + saved(notebook(ENGINE)))
    assert grade(tmp_path / "mine.ipynb.txt", ["phase1"]).exit_code == 0
