"""What a learner's commands show in a terminal of 40, 80 and 200 columns: all of it, nothing cut,
nothing too wide; and no command to the terminal where it takes none.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from support import changed, hand_in, kit_folder
from support.terminal import Terminal, pyte

pytestmark = pytest.mark.slow

WIDTHS = (40, 80, 200)
LINES = 150  # high enough for all of a screen
COLOURS = re.compile(r"\x1b\[[\d;]*m")
SCREENS = {
    "status": [],
    "passing": ["phase1"],
    "failing": ["phase3"],
    "why": ["why"],
    "hint": ["hint", "phase3", "--all"],
    "quiz": ["quiz", "phase4", "--seed", "7"],
    "checklist": ["checklist"],
    "predict": ["predict", "phase5", "--seed", "7"],
    "trace": ["trace", "tanh(alpha*beta + gamma) * alpha", "--text"],
    "doctor": ["doctor"],
    "show": ["show", "--steps", "1"],
}
ABOUT_THE_TERMINAL = {"show", "doctor"}  # what they say depends on it, or on the clock
LONG = 20  # a word that may not fit beside what stands before it
CODE = re.compile(
    r"^\s*(>>>|\.\.\.|from \w+ import|import |\w[\w.]* = |\w[\w.]*\(|def |class |return |for |if |"
    r"    )"
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner's folder: all is finished, but for two mistakes in phase 3."""
    folder = tmp_path_factory.mktemp("learner")
    shutil.copytree(kit_folder("solutions"), folder, dirs_exist_ok=True)
    minus = ("return other + (-self)", "return self - other")
    power = ("exponent * self.data ** (exponent - 1) * out.grad", "4")  # a line that fits
    hand_in(folder, changed(minus, power))
    for screen in ("passing", "failing"):  # progress is kept from here on, whatever comes first
        show(folder, screen, 80)
    return folder


def show(home: Path, screen: str, columns: int, **environment: str) -> str:
    """All that a command sends to a terminal. A quiz is left at once, a trace goes to its end."""
    with closing(Terminal(home, columns, *SCREENS[screen], lines=LINES, **environment)) as terminal:
        while (more := terminal.read(0.2)) or terminal.process.poll() is None:
            if more and terminal.sent.endswith(b"answer: "):
                terminal.press("q\n")
            elif more and terminal.sent.endswith(b"n next  q quit"):
                terminal.press("n")
    assert b"Traceback" not in terminal.sent
    return terminal.sent.decode()


@cache
def rows(home: Path, screen: str, columns: int) -> tuple[str, ...]:
    """The lines as they stand on the screen in the end."""
    return looks(show(home, screen, columns), columns)


def looks(sent: str, columns: int) -> tuple[str, ...]:
    """What stands there once all is sent. The terminal itself may have broken no line but code,
    which is to be pasted.
    """
    display = pyte.Screen(columns, LINES)
    pyte.Stream(display).feed(sent)
    shown = tuple(line.rstrip() for line in display.display)
    while shown and not shown[-1]:
        shown = shown[:-1]
    assert len(shown) < LINES
    wide = [
        line
        for line in COLOURS.sub("", sent).replace("\r", "\n").split("\n")
        if "\x1b" not in line and len(line) > columns
    ]
    assert [line for line in wide if not CODE.match(line)] == []
    return shown


def words(lines: tuple[str, ...]) -> Counter[str]:
    return Counter(
        word
        for line in lines
        for word in (part.strip(":,") for part in line.split())
        if re.search(r"\w", word)
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_says_the_same_at_every_width(home: Path, screen: str) -> None:
    with ThreadPoolExecutor() as pool:
        narrow, usual, wide = pool.map(lambda columns: rows(home, screen, columns), WIDTHS)
    assert min(map(len, (narrow, usual, wide))) > 3
    for other in (narrow, usual) if screen not in ABOUT_THE_TERMINAL else ():
        missing = words(wide) - words(other)
        assert not {word: count for word, count in missing.items() if len(word) < LONG}, "\n".join(
            other
        )


@pytest.mark.parametrize("columns", WIDTHS)
def test_short_code_and_marks_are_not_broken(home: Path, columns: int) -> None:
    shown = "\n".join(rows(home, "why", columns))
    assert "← first wrong" in shown
    assert not re.search(r"(  value|\d  gradient|, right|←( first)?)$", shown, re.MULTILINE)


@pytest.mark.parametrize("screen", ["status", "passing", "quiz"])
def test_a_dumb_terminal_gets_no_escape_sequences(home: Path, screen: str) -> None:
    assert not {"\x1b", "\b"} & set(show(home, screen, 80, TERM="dumb"))


@pytest.mark.parametrize("screen", ["status", "failing", "checklist"])
def test_without_colours_signs_and_words_say_it_all(home: Path, screen: str) -> None:
    plain = show(home, screen, 80, NO_COLOR="1")
    assert not COLOURS.search(plain)
    assert words(looks(plain, 80)) == words(rows(home, screen, 80))


@pytest.mark.parametrize("screen", ["status", "hint", "quiz", "checklist"])
def test_into_a_pipe_goes_plain_text(home: Path, screen: str) -> None:
    command = [sys.executable, "-m", "grader", *SCREENS[screen]]
    done = subprocess.run(
        command, cwd=home, input="", capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    assert not {"\x1b", "\r", "\b"} & set(done.stdout)
    assert {line for line in done.stdout.splitlines() if line != line.rstrip()} <= {"answer: "}
    assert "q quit" not in done.stdout
    assert not words(tuple(done.stdout.splitlines())) - words(rows(home, screen, 80))
