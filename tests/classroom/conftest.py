"""A folder with a class that handed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.classroom.gradebook import Gradebook
from support import changed, put


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def handed_in(here: Path) -> Path:
    """A class of five: right, wrong, a syntax error, hanging, and nothing that can be read."""
    files = {
        "ada/engine.py": changed(),
        "bob/engine.py": changed(("self.grad = 0.0", "self.grad = 1.0")),
        "cem/engine.py": "class Value(:\n",
        "dee/engine.py": changed(('return f"Value', 'while True: pass\n        return f"Value')),
        "eve/notes.txt": "sorry",
    }
    return put(here / "in", files)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Gradebook]:
    with Gradebook(tmp_path / "book") as opened:
        yield opened
