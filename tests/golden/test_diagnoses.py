"""Golden screens: a mistake, and what a learner sees of the checkpoint that it fails, to the
letter, in 80 columns.

Each table in `tests/golden/diagnoses` holds a `mistake`, functions to put in place of the
reference's (in `engine.py`, unless `module` names a different file), names to `delete` there, the
`checkpoint`, and what is `shown`. After a change of wording, `UPDATE_GOLDEN=1 python -m pytest -n0
tests/golden/test_diagnoses.py` writes the texts anew; read the difference as a learner would.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from io import StringIO
from statistics import median

import pytest
from rich.console import Console

from grader import Report
from grader.cli.grading import OWN
from grader.model import Kind, Verdict
from grader.views.console import print_lines
from grader.views.failure import in_brief
from grader.views.terminal import print_report
from support import GOLDEN
from support.golden import Case, read_cases
from support.mistakes import graded

pytestmark = pytest.mark.slow

CASES = read_cases("diagnoses")


def report_on(case: Case) -> Report:
    """The report on the phase of the checkpoint that the mistake fails."""
    phase = case["checkpoint"].partition(".")[0]
    if phase == "ext4":
        pytest.importorskip("numpy")
    mistake, module = case.get("mistake", ""), case.get("module", "engine")
    return graded(mistake, module, phase, deletes=case.get("delete", ()), prove=1)


def printed(printing: Callable[[Console], None]) -> str:
    """What appears on a screen of 80 columns."""
    out = StringIO()
    printing(Console(file=out, width=80, color_system=None, legacy_windows=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_explained_to_the_letter(case: str) -> None:
    report = report_on(CASES[case])
    result = next(each for each in report.checkpoints if each.id == CASES[case]["checkpoint"])
    assert result.verdict is Verdict.FAILED
    shown = printed(lambda console: print_lines(in_brief(result, console), console))
    if result.kind is Kind.TIMEOUT:  # where it was just then
        shown = re.sub(r"line \d+, in", "line N, in", shown)
    if os.environ.get("UPDATE_GOLDEN"):
        write(case, shown)
    else:
        assert shown == CASES[case]["shown"]
    screen = printed(lambda console: print_report(report, console, commands=OWN))
    assert len(screen.splitlines()) <= 24
    assert screen.endswith(f"\n\n{'    '.join(OWN)}\n"), "what to type is right above the prompt"


def test_an_answer_takes_few_lines() -> None:
    heights = [len(case["shown"].splitlines()) for case in CASES.values()]
    assert len(heights) >= 60
    assert max(heights) <= 14
    assert median(heights) <= 8


def write(case: str, shown: str) -> None:
    """Replace what is shown in the file of the case."""
    file = GOLDEN / "diagnoses" / f"{CASES[case]['theme']}.toml"
    before, name, after = file.read_text(encoding="utf-8").partition(f"[{case}]\n")
    after = after.replace(f"\n{CASES[case]['shown']}'''", f"\n{shown}'''", 1)
    file.write_text(before + name + after, encoding="utf-8")
