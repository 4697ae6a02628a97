"""The first hours of a learner in a terminal, from `grade init` to `grade finish`.

The transcript is a page of the documentation. After a change of wording, `UPDATE_GOLDEN=1 python -m
pytest -n0 tests/cli/test_journey.py` writes it anew; read the difference as a learner would.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support import ROOT, changed, kit_folder
from support.story import written_until
from support.terminal import Terminal

PAGE = ROOT / "docs" / "first-hour.md"
HEAD = """# The first hour

This is a real session: a test types these commands into a terminal of 80 columns, compares the
screens with this page, and writes the page when they change.
"""


class Journey:
    """A learner's folder, and what the terminal has shown so far."""

    def __init__(self, folder: Path, terminal: Callable[..., Terminal]) -> None:
        self.folder, self._terminal, self.page = folder, terminal, HEAD

    def say(self, text: str) -> None:
        """Add a paragraph to the page."""
        self.page += f"\n{text}\n"

    def grade(self, words: str, folder: str = "my-engine") -> str:
        """Run a command and add its screen to the page."""
        shown = self._terminal(*words.split(), folder=folder).end()
        self.page += f"\n```text\n$ grade {words}".rstrip() + f"\n{shown}\n```\n"
        return shown

    def write(self, source: str) -> None:
        """Save `engine.py`."""
        (self.folder / "my-engine" / "engine.py").write_text(source, encoding="utf-8")


@pytest.mark.slow
def test_the_first_hour_is_as_its_page_shows(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    way = Journey(tmp_path, terminal)
    way.say("`grade init` writes the exercises into a new folder.")
    way.grade("init my-engine", folder="")
    way.say("In `my-engine`, `grade` says what is next.")
    assert "write Value.__init__ in engine.py" in way.grade("")
    way.say("You write the constructor and `__repr__`, with a slip: the gradient begins as None.")
    right = written_until("__add__")
    way.write(right.replace("self.grad = 0.0", "self.grad = None"))
    assert "stuck? grade hint" in way.grade("phase1")
    way.say("You would rather have a hint than the explanation, and then the next one.")
    assert "1 of 2: line" in way.grade("hint")
    assert "2 of 2: change" in way.grade("hint")
    way.say("With `self.grad = 0.0` the phase passes, and the next one begins.")
    way.write(right)
    assert "next: phase2" in way.grade("phase1")
    way.say("Some methods later, `*` overwrites one gradient instead of adding to it.")
    slip = ("self.grad += other.data * out.grad", "self.grad = other.data * out.grad")
    way.write(written_until("build_topo", slip))
    assert "Tried: with one small change" in way.grade("phase2 phase3")
    way.say("`grade why` shows everything: the graph, and lines to paste into Python.")
    assert "To paste into Python" in way.grade("why")
    way.say("Hours later everything is written.")
    for file in kit_folder("solutions").glob("*.py"):
        shutil.copy(file, tmp_path / "my-engine")
    way.write(changed())
    assert "Every phase passes" in way.grade("1-8")
    way.grade("list")
    assert "python -m pip install dist/my_engine" in way.grade("finish --name Ada")
    assert (tmp_path / "my-engine" / "dist" / "certificate.html").is_file()
    page = re.sub(r"[ \t]+$", "", way.page, flags=re.MULTILINE)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")
