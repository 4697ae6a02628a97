"""`grade hint`: one function at a time, the one behind what fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.learner.hints import find_pasted
from support import changed, kit_folder
from support.command import run
from support.grading import COURSE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder with the untouched exercises, which is the current one."""
    folder = tmp_path / "exercises"
    ignored = shutil.ignore_patterns(".grade", "__pycache__")
    shutil.copytree(kit_folder("exercises"), folder, ignore=ignored)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    return folder


def shown(*words: str) -> str:
    return run(*words).stdout


def reported(text: str) -> Iterator[str]:
    """Yield the lines that a report prints about its first failure."""
    start = text.index("✗")
    yield from text[start : text.index("the whole story", start)].splitlines()


@pytest.mark.slow
def test_every_line_of_a_failure_leads_to_its_hint(home: Path) -> None:
    wrong = changed(("return other + (-self)", "return self - other"))
    (home / "engine.py").write_text(wrong, encoding="utf-8")
    lines = [line for line in reported(shown("3")) if len(line.split()) > 4]
    assert len(lines) > 3
    for line in lines:
        topic = find_pasted(COURSE, home, line)
        assert topic is not None, line
        assert topic.checkpoint == "phase3.number-minus"
    assert "1 of 4: idea" in shown("hint", "--symptom", "c.data is -3.0, and should be 3.0.")
