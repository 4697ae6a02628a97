"""`grade watch` in a terminal of its own: what is on the screen, whatever the width, however the
editor saves.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from rich.console import Console

from grader.cli.watch import WatchSession
from grader.curriculum.load import load_course
from grader.curriculum.model import Stage
from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.judge.job import Job
from grader.judge.plugin import Grading, run_suites
from grader.learner.progress import save_finished, save_progress
from support import kit_folder
from support.grading import grade
from support.terminal import WAIT, Terminal

pytestmark = pytest.mark.slow

SOLUTION = (kit_folder("solutions") / "engine.py").read_text(encoding="utf-8")
WRONG = SOLUTION.replace("self.grad += out.grad\n", "self.grad = out.grad\n", 1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A learner's folder with everything finished."""
    shutil.copytree(kit_folder("solutions"), tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def watch(home: Path) -> Iterator[Callable[..., Terminal]]:
    """Begins `grade watch`."""
    begun: list[Terminal] = []

    def begin(columns: int = 80, phase: str = "phase2") -> Terminal:
        begun.append(Terminal(home, columns, "watch", phase))
        return begun[-1]

    yield begin
    for terminal in begun:
        terminal.close()


def complete(*wanted: str) -> Callable[[str], bool]:
    return lambda text: "q quit" in text and all(part in text for part in wanted)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_screen_follows_every_save(
    home: Path, watch: Callable[..., Terminal], columns: int
) -> None:
    terminal = watch(columns)
    assert "10/10" in terminal.until(lambda text: "n goes" in text)
    (home / "engine.py").write_text(WRONG, encoding="utf-8")
    shown = terminal.until(lambda text: "overwrites" in text or "a.grad" in text)
    assert max(map(len, shown.splitlines())) <= columns
    other = home / "engine.py.new"
    other.write_text(SOLUTION, encoding="utf-8")
    other.replace(home / "engine.py")  # as many editors save
    assert "10/10" in terminal.until(lambda text: "n goes" in text)


def test_a_report_stays_until_there_is_another(home: Path, watch: Callable[..., Terminal]) -> None:
    (home / "engine.py").write_text(WRONG, encoding="utf-8")
    terminal = watch()
    terminal.until(complete("phase2"))
    (home / "engine.py").unlink()
    shown = terminal.until(lambda text: "is gone" in text)
    assert "a.grad" in shown
    (home / "engine.py").write_text(WRONG, encoding="utf-8")
    assert "a.grad" in terminal.until(lambda text: "is gone" not in text)
    (home / "engine.py").write_text("class Value(:\n", encoding="utf-8")
    terminal.until(lambda text: "not valid Python" in text)
    (home / "engine.py").write_text(SOLUTION, encoding="utf-8")
    assert "10/10" in terminal.until(lambda text: "n goes" in text)


def test_single_keys_do_what_they_say_and_the_terminal_is_left_as_it_was(
    watch: Callable[..., Terminal],
) -> None:
    terminal = watch()
    terminal.until(lambda text: "n goes" in text)
    terminal.press("h")
    terminal.until(lambda text: "1 of 4: idea" in text)
    terminal.press("n")
    terminal.until(lambda text: text.startswith("phase3") and "n goes" in text)
    terminal.press("r")
    terminal.until(lambda text: "y: yes" in text)
    terminal.press("y")
    terminal.until(lambda text: " 0/20" in text)
    terminal.press("\x1b[A")  # an arrow, which is none of them
    terminal.press("u")
    terminal.until(lambda text: " 20/20" in text)
    assert terminal.settings() != terminal.before
    terminal.press("q")
    assert terminal.process.wait(WAIT) == 0
    assert terminal.settings() == terminal.before


def test_a_window_of_another_width_gets_a_new_screen_unless_a_hint_is_below(
    watch: Callable[..., Terminal],
) -> None:
    terminal = watch(80)
    terminal.until(complete("n goes on with phase3, Multiplication, power and friends"))
    terminal.resize(40)
    shown = terminal.until(complete("n goes on with phase3,\nMultiplication"))
    assert max(map(len, shown.splitlines())) <= 40
    terminal.press("h")
    terminal.until(lambda text: "Enter shows the report" in text)
    terminal.resize(90)
    terminal.press("l")
    assert "1 of 4: idea" in terminal.until(lambda text: "Build your own" in text)


def test_without_a_terminal_every_save_is_reported(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "grader", "watch", "phase1"],
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            assert any("Ctrl-C stops" in line for line in lines)
            (home / "engine.py").write_text(
                SOLUTION.replace("self.grad = 0.0", "self.grad = 1.0", 1), encoding="utf-8"
            )
            assert any("expected 0.0" in line for line in lines)
            process.send_signal(signal.SIGINT)
            assert process.wait(WAIT) == 130
        finally:
            process.kill()


# --- what is written, in this process ---

BACKWARDS = SOLUTION.replace("reversed(topo)", "topo")


def session(home: Path, *, force_terminal: bool, columns: int = 80, rows: int = 40) -> WatchSession:
    """A session on a screen that is only a text."""
    course = load_course()
    submission = read_submission(home, course.files)
    codes = {stage.id: hash_of_functions(submission, course, stage) for stage in course.stages}
    save_finished(home, course.stages, codes)
    console = Console(
        file=StringIO(), width=columns, height=rows, highlight=False, force_terminal=force_terminal
    )
    return WatchSession(course, home, course.stage("phase4"), console)


def written(watching: WatchSession) -> str:
    file = watching.console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def screens(text: str) -> list[str]:
    """The screens that were drawn one over the other, without colours."""
    return [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", part) for part in text.split(CLEARED)[1:]]


CLEARED = "\x1b[2J\x1b[H"


def test_the_first_failure_is_shown_before_the_other_checks_run(home: Path) -> None:
    watching = session(home, force_terminal=True)
    (home / "engine.py").write_text(BACKWARDS, encoding="utf-8")
    watching.look()
    early, whole = screens(written(watching))
    assert "y.grad: got 0.0, expected 2.0" in early
    assert "print(y.grad)" in early
    assert early.rstrip().endswith("grading the rest …")
    assert "known mistake" not in early
    assert "known mistake" in whole
    assert "3/20" in whole


def test_a_failure_that_an_earlier_phase_may_block_waits_for_the_whole_report(home: Path) -> None:
    watching = session(home, force_terminal=True)
    both = BACKWARDS.replace("self.grad += out.grad\n", "self.grad = out.grad\n", 1)
    (home / "engine.py").write_text(both, encoding="utf-8")
    watching.look()
    (whole,) = screens(written(watching))
    assert "phase4" in whole


def test_earlier_phases_are_graded_again_only_if_their_files_change(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def run(job: Job, stages: Sequence[Stage], *others: Any, **only: Any) -> Grading:
        asked.append([stage.id for stage in stages])
        return run_suites(job, stages, *others, **only)

    for module in ("plugin", "graded"):
        monkeypatch.setattr(f"grader.judge.{module}.run_suites", run)
    watching = session(home, force_terminal=False)
    save_progress(home, grade(home, ["1-6"]))
    watching.stage = watching.course.stage("phase7")
    right = (home / "nn.py").read_text(encoding="utf-8")
    (home / "nn.py").write_text(right.replace("wi * xi", "wi + xi"), encoding="utf-8")
    asked.clear()
    watching.look()
    assert asked == [["phase7"]]
    (home / "engine.py").write_text(f"{SOLUTION}# edited\n", encoding="utf-8")
    watching.look()
    assert asked[-1][:2] == ["phase1", "phase2"]


def test_without_a_terminal_each_report_comes_once_and_whole(home: Path) -> None:
    watching = session(home, force_terminal=False)
    (home / "engine.py").write_text(BACKWARDS, encoding="utf-8")
    watching.look()
    text = written(watching)
    assert "\x1b" not in text
    assert text.count("Topological order and backward()") == 1
    assert text.rstrip().endswith("Ctrl-C stops")


def test_a_long_report_keeps_its_beginning_on_the_screen(home: Path) -> None:
    watching = session(home, columns=40, rows=20, force_terminal=True)
    (home / "engine.py").write_text(BACKWARDS, encoding="utf-8")
    watching.look()
    whole = screens(written(watching))[-1]
    rows = [part for line in whole.rstrip().splitlines() for part in wrap(line, 40) or [""]]
    assert len(rows) < 20, "the last line is for messages"
    assert rows[0].startswith("phase4")
    assert "grade phase4 shows it" in " ".join(rows)
    assert "q quit" in rows[-1]
