"""`grade watch` in a terminal of its own: what is on the screen, whatever the width, however the
editor saves.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import kit_folder
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


def test_without_a_terminal_it_tells_of_every_save(home: Path) -> None:
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
