"""The way through the course as a learner goes it: where they stand, what is next, what is kept and
where.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from grader.curriculum.load import load_course
from grader.curriculum.model import Stage
from grader.learner.progress import FILE, FOLDER, HINTS, RIGHT, SPOILED, TICKED
from grader.learner.status import Place, Status
from grader.learner.status_screen import print_next
from support import changed, kit_folder
from support.command import run

pytestmark = pytest.mark.slow

COURSE = load_course()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the course with the untouched exercises in it, which is the current one."""
    shutil.copytree(
        kit_folder("exercises"),
        tmp_path / "exercises",
        ignore=shutil.ignore_patterns(".grade", "__pycache__"),
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def shown(*words: str | Path, typed: str = "") -> str:
    """Return what a command prints."""
    return run(*words, typed=typed).stdout


def write(folder: Path, *pairs: tuple[str, str], more: str = "") -> None:
    """Write the solution with these places changed into the learner's file."""
    file = folder / "exercises" / "engine.py"
    file.write_text(changed(*pairs) + more, encoding="utf-8")


# --- where progress is kept ---


def test_a_named_path_has_no_progress_and_gets_none(here: Path) -> None:
    write(here)
    shutil.copytree(here / "exercises", here / "other")
    run("1")
    before = kept(here)
    for path in ("other", "other/engine.py", "exercises"):
        run("2", "--at", path)
    assert kept(here) == before
    assert "phase1   The Value class  0/6" in shown("--at", "exercises")


def kept(folder: Path) -> dict[str, bytes]:
    """Return everything that is kept below a folder."""
    files = folder.rglob(f"{FOLDER}/**/*")
    return {str(path): path.read_bytes() for path in files if path.is_file()}


ENTRY = {
    "sha256": "x",
    "score": 1,
    "max_score": 6,
    "done": False,
    "open": "phase1.nothing",
    "passed": [],
}
HOSTILE: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda file, victim: file.symlink_to(victim),
    "a pipe": lambda file, _: os.mkfifo(file),
    "a device": lambda file, _: file.symlink_to("/dev/zero"),
    "a giant": lambda file, _: file.write_bytes(b" " * (1 << 20) + b"{}"),
    "brackets": lambda file, _: file.write_text("[" * 100_000),
    "not a table": lambda file, _: file.write_text("5"),
    "an unknown checkpoint": lambda file, _: file.write_text(
        json.dumps({"phases": {"phase1": ENTRY, "phase2": 5}})
    ),
}


@pytest.mark.parametrize("what", [*HOSTILE, "a linked folder"])
def test_progress_that_is_damaged_or_leads_elsewhere_is_ignored(what: str, here: Path) -> None:
    write(here)
    victim, folder = here / "victim" / FILE, here / "exercises" / FOLDER
    victim.parent.mkdir()
    victim.write_text("{}", encoding="utf-8")
    if what == "a linked folder":
        folder.symlink_to(victim.parent)
    else:
        folder.mkdir()
        for name in (FILE, HINTS, RIGHT.file, TICKED.file, SPOILED.file):
            HOSTILE[what](folder / name, victim)
    for words in ("1", "", "hint 1", "checklist --tick like-pytorch", "solution 1 --spoil"):
        assert run(*words.split()).returncode == 0
    assert {file.name: file.read_text() for file in victim.parent.iterdir()} == {FILE: "{}"}
    if what != "a linked folder":  # the rest is mended by what is kept from now on
        assert "phase1   The Value class  6/6" in shown()


# --- what is next ---


@pytest.mark.parametrize("stage", [stage for stage in COURSE.stages if "trace" in stage.see])
def test_the_command_that_a_phase_suggests_works_with_the_code_of_that_phase(
    stage: Stage, here: Path
) -> None:
    following = COURSE.stages[COURSE.stages.index(stage) + 1]
    run("init", "then", "--phase", following.id, "--with-solutions")
    _, *words = shlex.split(stage.see)
    assert run(*words, "--text", cwd=here / "then").returncode == 0


@pytest.mark.parametrize(("last", "told"), [("done", True), ("begun", False)])
def test_after_every_phase_the_end_is_announced(last: str, told: bool) -> None:
    places = tuple(
        Place(stage, "open" if stage.optional else last if stage.id == "phase8" else "done", 0)
        for stage in COURSE.stages
    )
    out = io.StringIO()
    print_next(Status(places, (), COURSE.stages[-1]), COURSE, Console(file=out, width=100))
    assert ("grade finish" in out.getvalue()) is told


# --- one checkpoint ---


# --- reports ---


@pytest.mark.parametrize("columns", ["60", "80"])
def test_code_in_a_traceback_is_not_broken(columns: str, here: Path) -> None:
    line = (
        "out = Value(self.data + other.data, (self, other), undefined_and_rather_long_on_purpose)"
    )
    write(here, ('out = Value(self.data + other.data, (self, other), "+")', line))
    lines = run("2", "-v", COLUMNS=columns).stdout.splitlines()
    assert any(shown_line.endswith(line) for shown_line in lines)


# --- hints ---
