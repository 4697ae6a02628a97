"""`grade doctor`: what is missing is found, and told with what to do about it."""

from __future__ import annotations

import importlib.metadata
import io
import tempfile
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.learner import doctor as checkup
from grader.learner.doctor import Finding, check_setup

COURSE = load_course()


def around(home: Path | None, encoding: str = "utf-8", width: int = 80) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    console = Console(file=file, width=width, force_terminal=True)
    for finding in check_setup(COURSE, home, console):
        found.setdefault(finding.subject, []).append(finding)
    return found


@pytest.fixture(autouse=True)
def no_grading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grading takes its time, and is tested elsewhere."""
    monkeypatch.setattr(checkup, "_grading", lambda _course: iter(()))


def test_a_complete_setup_gets_no_advice(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("", encoding="utf-8")
    found = around(tmp_path)
    assert {
        name for name, each in found.items() if any(one.state == "bad" for one in each)
    } == set()
    assert {
        "Python",
        "packages",
        "terminal",
        "your code",
        "your progress",
        "temporary files",
        "clock",
    } <= {*found}


def test_a_package_that_is_missing_or_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "mpmath":
            raise importlib.metadata.PackageNotFoundError(name)
        return "0.1" if name == "rich" else "999"

    monkeypatch.setattr(importlib.metadata, "version", version)
    told = {(one.state, one.message) for one in around(None)["packages"]}
    assert ("bad", "mpmath is not installed") in told
    assert ("bad", "rich 0.1 is too old") in told


@pytest.mark.slow
def test_a_file_in_the_way_of_a_module_is_named(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("", encoding="utf-8")
    assert "random.py" in around(tmp_path)["your code"][1].message


@pytest.mark.parametrize("name", ["grader.py", "grader/__init__.py"])
def test_a_file_in_the_way_of_the_kit_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    assert "the kit's own package" in around(tmp_path)["your code"][1].message


@pytest.mark.parametrize(("encoding", "width"), [("ascii", 80), ("utf-8", 40)])
def test_a_limited_terminal_is_reported(encoding: str, width: int) -> None:
    assert around(None, encoding, width)["terminal"][0].state == "worse"


def test_a_folder_that_cannot_be_written_to_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    found = around(tmp_path)["your progress"][0]
    assert (found.state, "Permission denied" in found.message) == ("bad", True)


@pytest.mark.slow
def test_a_wrong_clock_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    assert around(None)["clock"][0].state == "worse"


def test_it_exits_with_1_where_something_must_be_mended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(commands, ["doctor"], standalone_mode=False)
    assert (result.return_value, "everything works" in result.output) == (0, True)
    monkeypatch.setattr(checkup, "OLDEST", (4, 0))
    result = CliRunner().invoke(commands, ["doctor"], standalone_mode=False)
    assert (result.return_value, "1 to fix" in result.output) == (1, True)
