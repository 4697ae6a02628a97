"""The kit as a package: what is built, and how it refuses to run where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from support import ROOT, touch

SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}

pytestmark = pytest.mark.slow


def built(folder: Path, target: str, source: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return next(folder.iterdir())


@pytest.mark.needs("hatchling")
def test_the_source_distribution_is_small_and_builds_the_same_wheel(tmp_path: Path) -> None:
    for name in ("sdist", "ours", "theirs"):
        (tmp_path / name).mkdir()
    with tarfile.open(built(tmp_path / "sdist", "sdist", ROOT)) as archive:
        archive.extractall(tmp_path / "unpacked", **SAFELY)
    unpacked = next((tmp_path / "unpacked").iterdir())
    assert not {"tests", "benchmarks"} & {entry.name for entry in unpacked.iterdir()}
    assert [file.name for file in (unpacked / "docs").iterdir()] == ["learner.md"]
    wheels = [
        built(tmp_path / "ours", "wheel", ROOT),
        built(tmp_path / "theirs", "wheel", unpacked),
    ]
    ours, theirs = (sorted(zipfile.ZipFile(wheel).namelist()) for wheel in wheels)
    assert ours == theirs
    assert "grader/web/learner.md" in ours  # for the site of a course
    assert "grader/course/solutions/engine.py" in ours


def test_a_package_that_hides_another_gives_an_error_and_no_traceback(tmp_path: Path) -> None:
    touch(tmp_path / "click.py", text="")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    code = "import sys; sys.argv.append('--help'); from grader.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=False, capture_output=True, text=True
    )
    assert done.stderr.startswith("error: the kit is incomplete: No module named 'click.")
    assert "Traceback" not in done.stderr
