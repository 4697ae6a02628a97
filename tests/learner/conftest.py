"""A folder to work in, for the tests of what a learner does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import kit_folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a learner's folder with everything finished, which is the current one."""
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
