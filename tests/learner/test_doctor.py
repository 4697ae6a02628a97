"""`grade doctor`: what is missing is found, and told with what to do about it."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest
from rich.console import Console

from grader.learner import doctor as checkup
from grader.learner.doctor import Finding, check_setup
from support.command import run
from support.grading import COURSE


def around(home: Path | None, encoding: str = "utf-8") -> list[Finding]:
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    return [*check_setup(COURSE, home, Console(file=file, force_terminal=True))]


@pytest.fixture(autouse=True)
def no_grading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grading takes its time, and is tested elsewhere."""
    monkeypatch.setattr(checkup, "_grading", lambda _course: iter(()))


def test_a_complete_setup_gets_no_advice(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("", encoding="utf-8")
    found = around(tmp_path)
    subjects = {"Python", "terminal", "your progress", "temporary files"}
    assert {each.subject for each in found if not each.advice} >= subjects
    assert {each.subject for each in found if each.is_bad} == set()


def test_a_limited_terminal_is_reported() -> None:
    assert next(each for each in around(None, "ascii") if each.subject == "terminal").advice


def test_a_folder_that_cannot_be_written_to_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    (found,) = (each for each in around(tmp_path) if each.subject == "your progress")
    assert (found.is_bad, found.message.rpartition(": ")[2]) == (True, "Permission denied")


@pytest.mark.parametrize(
    ("findings", "code", "told"),
    [([], 0, "everything works"), ([Finding("disk", "is full", is_bad=True)], 1, "1 to fix")],
)
def test_it_exits_with_1_where_something_must_be_mended(
    findings: list[Finding], code: int, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checkup, "_grading", lambda _course: iter(findings))
    done = run("doctor", cwd=tmp_path)
    assert (done.returncode, told in done.stdout) == (code, True)
