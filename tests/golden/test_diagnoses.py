"""Golden messages: a mistake, and what a learner sees of the checkpoint that it fails, to the
letter.

Each folder in `tests/golden/diagnoses` holds `mistake.py`, functions to put in place of the
reference's (its docstring says
`CHECKPOINT` in its first line), and `shown.txt`. After a change of wording, `UPDATE_GOLDEN=1 python
-m pytest
tests/golden/test_diagnoses.py` writes the texts anew; read the difference as a learner would.
"""

from __future__ import annotations

import ast
import os
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from grader.model import CheckResult, Kind, Verdict
from grader.views.terminal import MAX_LINES, print_details
from support.mistakes import graded

pytestmark = pytest.mark.slow

HERE = Path(__file__).with_name("diagnoses")
CASES = sorted(folder.name for folder in HERE.iterdir() if (folder / "mistake.py").exists())


def failing(mistake: str) -> CheckResult:
    """The result of the checkpoint that the mistake's docstring names."""
    checkpoint, module = (ast.get_docstring(ast.parse(mistake)) or "").split()[:2]
    if checkpoint.startswith("ext4"):
        pytest.importorskip("numpy")
    report = graded(mistake, module.rstrip(":"), checkpoint.partition(".")[0])
    result = next(result for result in report.checkpoints if result.id == checkpoint)
    assert result.verdict is Verdict.FAILED
    return result


def text_of(result: CheckResult, width: int = 100) -> str:
    """What the terminal shows of a result below its title."""
    out = StringIO()
    print_details(
        result,
        Console(file=out, width=width, color_system=None, legacy_windows=False),
        set(),
        verbose=False,
        indent=4,
    )
    told = "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
    # where it was just then
    return re.sub(r"line \d+, in", "line N, in", told) if result.kind is Kind.TIMEOUT else told


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_explained_to_the_letter(case: str) -> None:
    result = failing((HERE / case / "mistake.py").read_text(encoding="utf-8"))
    shown = text_of(result)
    if result.id.startswith(("phase7", "phase8")):  # the listing is mostly weights
        shown = shown.partition("    try it:")[0]
    golden = HERE / case / "shown.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")
    assert len(shown.splitlines()) < MAX_LINES, "the title is a line, too"
