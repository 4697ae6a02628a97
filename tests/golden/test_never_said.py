"""Mistakes, and what no answer to them may say.

Each table in `never_said.toml` edits the reference solution (or, with `engine`, a file in
`tests/golden/engines`), grades `phases`, and names texts that no failure shows (`never`)
and some that one does (`says`).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grader.boundary.pool import ProcessHost
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.judge.grade import grade_submission
from grader.judge.job import Job
from grader.model import Verdict
from grader.views.terminal import print_report
from support import kit_folder
from support.golden import unpacked
from support.grading import CACHES, COURSE

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "never_said.toml").read_text(encoding="utf-8"))


def shown(case: dict[str, Any]) -> str:
    """The report of the edited solution, as one line."""
    stages = tuple(COURSE.stage(phase) for phase in case["phases"].split())
    files = []
    for file in read_submission(kit_folder("solutions"), COURSE.files).files:
        source = file.source.decode()
        if file.module == "engine" and "engine" in case:
            source = (unpacked("engines") / "correct" / f"{case['engine']}.py").read_text("utf-8")
        if file.module == stages[0].module:
            for old, new in case["edits"]:
                assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
                source = source.replace(old, new)
        files.append(replace(file, shown=Path(file.shown).name, source=source.encode()))
    with ProcessHost(most=0) as host:
        job = Job(COURSE, Submission("mistake", tuple(files)), host, caches=CACHES, prove=1)
        report = grade_submission(job, stages)
    assert Verdict.FAILED in {result.verdict for result in report.checkpoints}
    out = StringIO()
    console = Console(file=out, width=200, color_system=None, legacy_windows=False)
    print_report(report, console, verbose=True)
    return out.getvalue()


@pytest.mark.parametrize("name", CASES)
def test_what_is_false_is_never_said(name: str) -> None:
    case = CASES[name]
    if case["phases"].startswith("ext4"):
        pytest.importorskip("numpy")
    read = " ".join(shown(case).split())
    assert [text for text in case.get("never", ()) if text in read] == []
    assert [text for text in case.get("says", ()) if text not in read] == []
