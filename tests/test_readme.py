"""What the README shows is what there is."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from grader import grade
from grader.views.terminal import print_report
from support import kit_folder

pytestmark = pytest.mark.slow
README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_failure_in_the_readme_is_a_real_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
    (tmp_path / "engine.py").write_text(
        source.replace("return other + (-self)", "return self - other"), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    shown = io.StringIO()
    print_report(
        grade(".", ["phase3"]), Console(file=shown, width=80, highlight=False, force_terminal=False)
    )
    lines = [line.rstrip() for line in shown.getvalue().splitlines()]
    transcript = re.search(
        r"<!-- transcript: grade phase3 -->\n```text\n(.*?)```", README, re.DOTALL
    )
    assert transcript is not None
    wanted = transcript[1].splitlines()
    start = lines.index(wanted[0])
    assert lines[start : start + len(wanted)] == wanted


def test_every_file_that_the_readme_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (Path(__file__).parent.parent / target).exists(), target
