"""A learner's folder in which nothing is written yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import kit_folder
from support.story import HOME


@pytest.fixture
def exercises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, in which `exercises/` holds the untouched exercises."""
    ignored = shutil.ignore_patterns(".grade", "__pycache__")
    shutil.copytree(kit_folder("exercises"), tmp_path / HOME, ignore=ignored)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path
