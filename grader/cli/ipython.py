"""`%grade` in a notebook: grade the cells run so far in a separate process, and show the report.

The report is HTML, or text in IPython. The kernel has run the learner's code, so it cannot be the
judge: it only sends words and receives a report.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.cli.commands import COMMANDS
from grader.cli.formats import to_text
from grader.cli.grading import OWN
from grader.cli.streams import failure_of_ours, print_refusal
from grader.errors import GraderError, InternalError, UsageError
from grader.model import Report
from grader.views.json import from_json

_HERE = "this notebook"
_TEXTS = ("hint", "checklist", "doctor", "solution", "why")  # they print a text and ask nothing
# the ones that look at the code, and the option that names it
_ABOUT_CELLS = {"checklist": "--session", "solution": "--session", "why": "--at"}
_OURS = re.compile(rf"grade (?={'|'.join(_TEXTS)}|try|phase|ext)")
_CELL = re.compile(r'\bcell (\d+)(?=, line \d|")')  # as the notebook shows it: cell [3]


def register(ipython: Any) -> None:
    """Register `%grade` in an IPython session. None of the session's names change."""

    def grade(line: str) -> None:
        """Grade the cells that you have run: %grade phase4, %grade 1-4, %grade all. Without
        arguments, show where you stand. After a failure: %grade why, %grade try, %grade hint.
        """
        grade_line(ipython, line)

    ipython.register_magic_function(grade, "line")


def grade_line(ipython: Any, line: str) -> None:
    """Run `%grade`. An error becomes one line, without the kit's own frames."""
    try:
        words = _split(line)
        if words[:1] and words[0] in _TEXTS:
            _pass_on(ipython, words)
        elif words[:1] == ["try"]:
            _try(ipython, words[1:])
        else:
            _grade(ipython, words)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    except GraderError as error:
        print_refusal(error)
    except Exception as error:
        if os.environ.get("GRADE_DEBUG"):
            raise
        print_refusal(failure_of_ours(error))


def _split(line: str) -> list[str]:
    """Return the words of a line. Raise UsageError if they make no sense in a notebook."""
    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise UsageError(
            f"%grade {line}: {error}", "for example: %grade phase4 --verbose"
        ) from error
    if words and words[0] in COMMANDS.keys() - {*_TEXTS, "try"}:
        raise UsageError(
            f"%grade {words[0]} does not work in a notebook",
            f"in a terminal: grade {shlex.join(words)}",
        )
    if any(word.startswith(("--at", "--format", "--output")) for word in words):
        raise UsageError(
            "--at, --format and --output do not work with %grade", "use them in a terminal: grade"
        )
    return words


def _grade(ipython: Any, words: Sequence[str]) -> None:
    from IPython import display

    from grader.views.html import as_plain, page

    show: Any = display.display
    report = judge(cells_of(ipython), words)
    verbose = not {"-v", "--verbose"}.isdisjoint(words)
    # the notebook has already shown each mistake along the way
    notes = [note for note in report.notes if verbose or not note.startswith("cell ")]
    report = replace(report, notes=tuple(notes))
    # a console that does not itself write into the notebook
    width = min(100, shutil.get_terminal_size((100, 0)).columns)
    console = {"width": width, "force_terminal": sys.stdout.isatty(), "force_jupyter": False}
    text = to_text(report, verbose=verbose, commands=OWN, **console).rstrip()
    text = _OURS.sub("%grade ", text)
    html = page("fragment.html", report=as_plain(report, pictures=bool(words)), standing=not words)
    show({"text/plain": text, "text/html": html}, raw=True)


def _pass_on(ipython: Any, words: Sequence[str]) -> None:
    """Run a command that prints a text, with the kernel's own kit, regardless of PATH."""
    option = _ABOUT_CELLS.get(words[0])
    with _saved(cells_of(ipython)) if option else nullcontext() as file:
        printed, complaint = _run([*words, *([option, str(file)] if option else [])])
    complaint = complaint.replace(repr(str(file)), _HERE)
    print(_OURS.sub("%grade ", _CELL.sub(r"cell [\1]", printed)), end="")
    print(_OURS.sub("%grade ", complaint), end="", file=sys.stderr)


def _try(ipython: Any, about: Sequence[str]) -> None:
    """Write the lines that fail into the next cell."""
    report = judge(cells_of(ipython), about or ["all"])
    failing = next((result for result in report.checkpoints if result.reproduce), None)
    if failing is None:
        raise UsageError("no failure here has lines to run", "%grade why explains each one")
    ipython.set_next_input(failing.reproduce)
    print(f"{failing.id}: the next cell has the lines. They run your own code, unsandboxed.")


def cells_of(ipython: Any) -> list[str]:
    """Return the cells run in this session, in order, starting with In[1]."""
    return [str(source) for source in ipython.history_manager.input_hist_raw[1:]]


# --- the judge, in a separate process ---


_BOOT = (
    "import sys; sys.path[:] = filter(None, sys.path); sys.path.append(sys.argv.pop(1)); from"
    " grader.__main__ import main; main()"
)


def judge(cells: Sequence[str], words: Sequence[str]) -> Report:
    """Return the report on these cells, run in order. Raise GraderError like the command."""
    with _saved(cells) as file:
        printed, complaint = _run(["run", *words, "--at", str(file), "--format", "json"])
    try:
        answer = json.loads(printed)
    except ValueError:
        raise InternalError(
            f"the grader ended without a report: {complaint.strip()[-300:]}",
            "check your setup: %grade doctor",
        ) from None
    if "error" in answer:
        failure = answer["error"]
        raise GraderError(failure["message"].replace(repr(str(file)), _HERE), failure["hint"])
    return replace(from_json(_CELL.sub(r"cell [\1]", printed)), origin=_HERE)


@contextmanager
def _saved(cells: Sequence[str]) -> Iterator[Path]:
    """Write the cells to a notebook that lasts as long as the block."""
    import nbformat

    v4: Any = nbformat.v4
    document = v4.new_notebook(cells=[v4.new_code_cell(source) for source in cells])
    with tempfile.TemporaryDirectory(prefix="grade-") as folder:
        file = Path(folder) / "session.ipynb"
        file.write_text(v4.writes(document), encoding="utf-8")
        yield file


def _run(words: Sequence[str]) -> tuple[str, str]:
    """Return the command's output on standard output and standard error."""
    command = [sys.executable, "-c", _BOOT, str(Path(__file__).parents[2]), *words]
    with subprocess.Popen(  # noqa: S603 - this interpreter and the kit's own command
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            return process.communicate()
        except BaseException:
            process.terminate()  # it ends its own workers
            raise
