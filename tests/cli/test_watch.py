"""`grade watch` in a terminal of its own: what is on the screen, whatever the width, however the
editor saves.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from grader.cli.watch import WatchSession
from grader.curriculum.load import load_course
from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.learner.progress import save_finished
from support import changed, hand_in, there
from support.story import written_until
from support.terminal import WAIT, Terminal

pytestmark = pytest.mark.slow

SOLUTION = changed()
TWO_PHASES = written_until("__mul__")  # the next one begins with a stub
WRONG = TWO_PHASES.replace("self.grad += out.grad\n", "self.grad = out.grad\n", 1)
DONE, REPORT = "n continues", "q quit"
Begin = Callable[..., Terminal]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_screen_follows_every_save(home: Path, terminal: Begin, columns: int) -> None:
    watch = terminal("watch", "phase2", columns=columns)
    assert "10/10" in watch.talk((DONE, ""))
    hand_in(home, WRONG)
    shown = watch.talk((r"overwrites|a\.grad", ""))
    assert max(map(len, shown.splitlines())) <= columns
    (home / "engine.py.new").write_text(TWO_PHASES, encoding="utf-8")
    (home / "engine.py.new").replace(home / "engine.py")  # as many editors save
    shown = " ".join(watch.talk((r"write.Value\.__mul__", "")).split())
    assert "phase2 passes. Now phase3, Multiplication, power and friends." in shown
    assert shown.startswith("fixed: a + b passes its gradient to a and b phase2 passes.")


def test_a_report_stays_until_there_is_another(home: Path, terminal: Begin) -> None:
    hand_in(home, WRONG)
    watch = terminal("watch", "phase2")
    watch.talk((REPORT, ""))
    (home / "engine.py").unlink()
    assert "a.grad" in watch.talk(("is gone", ""))
    hand_in(home, WRONG)
    watch.until(lambda text: "is gone" not in text and "a.grad" in text)
    hand_in(home, "class Value(:\n")
    watch.talk(("not valid Python", ""))
    hand_in(home, TWO_PHASES)
    watch.talk(("Now phase3.* 0/20", ""))


def test_single_keys_do_what_they_say_and_the_terminal_is_left_as_it_was(
    home: Path, terminal: Begin
) -> None:
    hand_in(home, written_until("build_topo"))
    watch = terminal("watch", "phase2")
    watch.talk(
        (DONE, "h"),
        ("1 of 4: idea", "n"),
        (f"^phase3.*{DONE}", "r"),
        (" 0/20", "\x1b[Au"),  # an arrow, which is none of them
        ("phase3 passes. Now phase4.*phase4.* 0/20", ""),
    )
    assert watch.is_changed()
    watch.quit(REPORT)


def test_without_a_terminal_every_save_is_reported(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "grader", "watch", "phase1"],
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            lines = iter(there(process.stdout).readline, "")
            assert any("Ctrl-C stops" in line for line in lines)
            hand_in(home, changed(("self.grad = 0.0", "self.grad = 1.0")))
            assert any("should be 0.0" in line for line in lines)
            process.send_signal(signal.SIGINT)
            assert process.wait(WAIT) == 130
        finally:
            process.kill()


# --- what is written, in this process ---

BACKWARDS = changed(("reversed(topo)", "topo"))


CLEARED = "\x1b[2J\x1b[H"


def looked(home: Path, *sources: str, columns: int = 80, rows: int = 40) -> list[str]:
    """Save one after the other, and return the screens that are drawn after the last."""
    course, file, begun = load_course(), StringIO(), 0
    submission = read_submission(home, course.files)
    codes = {stage.id: hash_of_functions(submission, course, stage) for stage in course.stages}
    save_finished(home, course.stages, codes)
    console = Console(file=file, width=columns, height=rows, highlight=False, force_terminal=True)
    watching = WatchSession(course, home, course.stage("phase4"), console)
    for source in sources:
        begun = len(file.getvalue())
        hand_in(home, source)
        watching.look()
    return file.getvalue()[begun:].split(CLEARED)[1:]


def plain(screen: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", screen)


REASON = r"Nodes below the direct operands of the result get no gradient\."
SUM = r"a \+ b passes its gradient to a and b"
SCREENS = {
    "the first failure is shown before the other checks run": (
        [BACKWARDS],
        [
            rf"\A(?!.*{REASON}).*y\.grad is 0\.0, and should be 2\.0\..*grading the rest …\s*\Z",
            rf"\A(?=.*{REASON})(?=.*Tried: with one small change in line).*3/20",
        ],
    ),
    # no first failure before: phase2 may have caused it
    "an earlier phase that an edit has broken is graded with the one that waits": (
        [BACKWARDS.replace("self.grad += out.grad\n", "self.grad = out.grad\n", 1)],
        [rf"\Aphase2 [^\n]*/10\nphase3 [^\n]*\nphase4 [^\n]*/20\n.*✗ {SUM}"],
    ),
}


@pytest.mark.parametrize(("sources", "patterns"), SCREENS.values(), ids=SCREENS)
def test_a_save_is_answered_with_these_screens(
    home: Path, sources: list[str], patterns: list[str]
) -> None:
    screens = [plain(screen) for screen in looked(home, *sources)]
    assert len(screens) == len(patterns)
    for screen, pattern in zip(screens, patterns):
        assert re.search(pattern, screen, re.DOTALL), screen
