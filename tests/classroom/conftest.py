"""A folder with a class that handed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.classroom import SOLUTION


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def handed_in(here: Path) -> Path:
    """A class of five: right, wrong, a syntax error, hanging, and nothing that can be read."""
    folder = here / "in"
    source = SOLUTION.read_text(encoding="utf-8")
    engines = {
        "ada": source,
        "bob": source.replace("self.grad = 0.0", "self.grad = 1.0", 1),
        "cem": "class Value(:\n",
        "dee": source.replace('return f"Value', 'while True: pass\n        return f"Value', 1),
    }
    for name, text in engines.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "engine.py").write_text(text, encoding="utf-8")
    (folder / "eve").mkdir()
    (folder / "eve" / "notes.txt").write_text("sorry", encoding="utf-8")
    return folder
