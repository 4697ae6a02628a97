"""The first hours of a learner in a terminal, from `grade init` to `grade finish`.

The transcript is a page of the documentation. After a change of wording, `UPDATE_GOLDEN=1 python -m
pytest -n0 tests/cli/test_journey.py` writes it anew; read the difference as a learner would.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support import ROOT, kit_folder, put
from support.story import written_until
from support.terminal import Terminal

PAGE = ROOT / "docs" / "first-hour.md"
HEAD = """# The first hour

You write your first method, make a mistake and fix it. This is a real session: a test types these
commands and fails if a screen looks different from this page.
"""


RIGHT = written_until("__add__")
# what the page says, what is saved before, and commands with a text that each must show
STEPS: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("`grade init` writes the exercises into a new folder.", {}, {"init my-engine": "next: cd"}),
    ("In `my-engine`, `grade` says what is next.", {}, {"": "write Value.__init__ in engine.py"}),
    (
        "You write the constructor and `__repr__`, with a slip: the gradient starts as None.",
        {"engine.py": RIGHT.replace("self.grad = 0.0", "self.grad = None")},
        {"phase1": "stuck? grade hint"},
    ),
    (
        "You want a hint instead of the explanation, and then another.",
        {},
        {"hint": "1 of 6: line", "hint ": "2 of 6: change"},
    ),
    (
        "With `self.grad = 0.0` the phase passes, and the next one begins.",
        {"engine.py": RIGHT},
        {"phase1": "next: phase2"},
    ),
    (
        "Some methods later, `*` overwrites one gradient instead of adding to it.",
        {
            "engine.py": written_until(
                "build_topo",
                ("self.grad += other.data * out.grad", "self.grad = other.data * out.grad"),
            )
        },
        {"phase2 phase3": "Tried: with one small change"},
    ),
    (
        "`grade why` shows everything: the graph, and lines to paste into Python.",
        {},
        {"why": "To paste into Python"},
    ),
    (
        "Hours later everything is written.",
        {file.name: file.read_text("utf-8") for file in kit_folder("solutions").glob("*.py")},
        {
            "1-8": "Every phase passes",
            "list": "",
            "finish --name Ada": "python -m pip install dist/my_engine",
        },
    ),
]


@pytest.mark.slow
def test_the_first_hour_is_as_its_page_shows(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    page, home = HEAD, tmp_path / "my-engine"
    for said, saved, commands in STEPS:
        page += f"\n{said}\n"
        put(home, saved)
        for words, shows in commands.items():
            shown = terminal(*words.split(), folder=home if home.exists() else tmp_path).end()
            assert shows in shown
            page += f"\n```text\n$ grade {words}".rstrip() + f"\n{shown}\n```\n"
    assert (home / "dist" / "certificate.html").is_file()
    page = re.sub(r"[ \t]+$", "", page, flags=re.MULTILINE)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")
