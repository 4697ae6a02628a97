"""Commands on a machine that offers less than usual: nowhere to write, or half an installation."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest

from support import changed, hand_in, kit_folder, tells
from support.command import run

SHARE = "self.grad += other.data * out.grad"


@pytest.mark.slow
def test_an_engine_is_graded_without_a_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = Mock(side_effect=FileNotFoundError(2, "No usable temporary directory found"))
    monkeypatch.setattr(tempfile, "_get_default_tempdir", none)
    monkeypatch.delenv("TMPDIR", raising=False)
    folder = hand_in(tmp_path, changed((SHARE, f"{SHARE} if abs(out.data) > 0.2 else 0.0")))
    done = run("phase4.random-graphs", "--at", folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert "next: grade phase3.times-backward" in done.stdout
    doctor = run("doctor", COLUMNS="200")
    assert (doctor.returncode, "No usable temporary directory found" in doctor.stdout) == (1, True)


@pytest.mark.parametrize("file", [None, "vocabulary.py"])
def test_a_limit_of_the_system_is_not_the_fault_of_a_file(
    monkeypatch: pytest.MonkeyPatch, file: str | None
) -> None:
    exhausted = Mock(side_effect=OSError(errno.EMFILE, "Too many open files", file))
    monkeypatch.setattr("importlib.import_module", exhausted)
    done = run("phase1", "--at", kit_folder("solutions"))
    assert done.returncode == 3
    tells(
        done.stderr,
        "error: the system refused a request from the grader: Too many open",
        "`ulimit -a`",
    )
