"""Mistakes, and what no answer to them may say.

Each table in `never_said.toml` edits the reference solution (or, with `engine`, a file in
`tests/golden/engines`), grades `phases`, and names texts that no failure shows (`never`)
and some that one does (`says`).
"""

from __future__ import annotations

import shutil
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grader.model import Verdict
from grader.views.terminal import print_report
from support import kit_folder, put, tells
from support.golden import text_of
from support.grading import COURSE, grade
from support.story import edit

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "never_said.toml").read_text(encoding="utf-8"))


def shown(case: dict[str, Any], folder: Path) -> str:
    """The report of the edited solution."""
    phases = case["phases"].split()
    shutil.copytree(kit_folder("solutions"), folder, dirs_exist_ok=True)
    if "engine" in case:
        put(folder, {"engine.py": text_of("engines", f"correct/{case['engine']}.py")})
    for old, new in case["edits"]:
        edit(folder / COURSE.stage(phases[0]).file, old, new)
    report = grade(folder, phases, isolation=0, prove=1)
    assert Verdict.FAILED in {result.verdict for result in report.checkpoints}
    out = StringIO()
    console = Console(file=out, width=200, color_system=None, legacy_windows=False)
    print_report(report, console, verbose=True)
    return out.getvalue()


@pytest.mark.parametrize("name", CASES)
def test_what_is_false_is_never_said(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    monkeypatch.chdir(tmp_path)  # a report shows paths from here, which fit into a line
    if case["phases"].startswith("ext4"):
        pytest.importorskip("numpy")
    read = " ".join(shown(case, Path()).split())
    tells(read, *case.get("says", ()), hides=case.get("never", ()))
