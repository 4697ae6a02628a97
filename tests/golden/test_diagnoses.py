"""Golden messages: a mistake, and what a learner sees of the checkpoint that it fails, to the
letter.

Each table in `tests/golden/diagnoses` holds a `mistake`, functions to put in place of the
reference's (in `engine.py`, unless `module` names a different file), names to `delete` there, the
`checkpoint`, and what is `shown`. After a change of wording, `UPDATE_GOLDEN=1 python -m pytest -n0
tests/golden/test_diagnoses.py` writes the texts anew; read the difference as a learner would.
"""

from __future__ import annotations

import os
import re
from io import StringIO

import pytest
from rich.console import Console

from grader.model import CheckResult, Kind, Verdict
from grader.views.terminal import MAX_LINES, print_details
from support import GOLDEN
from support.golden import Case, read_cases
from support.mistakes import graded

pytestmark = pytest.mark.slow

CASES = read_cases("diagnoses")


def failing(case: Case) -> CheckResult:
    """The result of the checkpoint that the mistake fails."""
    checkpoint = case["checkpoint"]
    if checkpoint.startswith("ext4"):
        pytest.importorskip("numpy")
    mistake, module = case.get("mistake", ""), case.get("module", "engine")
    report = graded(mistake, module, checkpoint.partition(".")[0], deletes=case.get("delete", ()))
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
    result = failing(CASES[case])
    shown = text_of(result)
    if result.id.startswith(("phase7", "phase8")):  # the listing is mostly weights
        shown = shown.partition("    try it:")[0]
    if os.environ.get("UPDATE_GOLDEN"):
        write(case, shown)
    else:
        assert shown == CASES[case]["shown"]
    assert len(shown.splitlines()) < MAX_LINES, "the title is a line, too"


def write(case: str, shown: str) -> None:
    """Replace what is shown in the file of the case."""
    file = GOLDEN / "diagnoses" / f"{CASES[case]['theme']}.toml"
    before, name, after = file.read_text(encoding="utf-8").partition(f"[{case}]\n")
    after = after.replace(f"\n{CASES[case]['shown']}'''", f"\n{shown}'''", 1)
    file.write_text(before + name + after, encoding="utf-8")
