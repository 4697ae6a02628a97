"""Provide a terminal for tests of screens.

Without one, the tests that import this are skipped and say so.
"""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

pyte = pytest.importorskip(
    "pyte", reason="no terminal emulator is installed here: python -m pip install pyte"
)
fcntl, pty, termios = (
    pytest.importorskip(name, reason="needs a pseudo-terminal")
    for name in ("fcntl", "pty", "termios")
)

WAIT = 90.0  # seconds, long enough for a busy machine
GRADE = (sys.executable, "-m", "grader")
PASTES = 2004 << 5  # the mode in which a terminal says where a pasted text begins and ends


class Terminal:
    """A program in a pseudo-terminal, and what its screen shows."""

    def __init__(
        self, folder: Path, columns: int, *args: str, program: Sequence[str] = GRADE
    ) -> None:
        self.screen = pyte.Screen(columns, 40)
        self._stream = pyte.ByteStream(self.screen)
        self._end, own = pty.openpty()
        _set_columns(own, columns)
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1"}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            environment.pop(name, None)
        self.before = termios.tcgetattr(own)
        self._own = own
        self.process = subprocess.Popen(
            [*program, *args],
            cwd=folder,
            stdin=own,
            stdout=own,
            stderr=own,
            env=environment,
            start_new_session=True,
        )

    def until(self, right: Callable[[str], bool]) -> str:
        """Wait for a screen that is right, and return its text."""
        end = time.monotonic() + WAIT
        while not right(text := self.text()):
            if select.select([self._end], [], [], 0.05)[0]:
                self._stream.feed(os.read(self._end, 65536))
            assert time.monotonic() < end, text
        return text

    def talk(self, *steps: tuple[str, str]) -> str:
        """Wait for each pattern on the screen and press the keys. Return the last screen."""
        text = ""
        for pattern, keys in steps:
            found = re.compile(pattern, re.DOTALL)
            text = self.until(lambda text, found=found: found.search(text) is not None)  # type: ignore[misc]
            self.press(keys)
        return text

    def quit(self, pattern: str) -> None:
        """Press q at this screen. The program ends well and leaves the terminal as it was."""
        self.talk((pattern, "q"))
        assert self.process.wait(WAIT) == 0
        assert termios.tcgetattr(self._own) == self.before

    def end(self) -> str:
        """Wait for the program to end, and return the text of its last screen."""
        self.until(lambda _: self.process.poll() is not None)
        while select.select([self._end], [], [], 0)[0]:
            self._stream.feed(os.read(self._end, 65536))
        return self.text()

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).strip()

    def press(self, key: str) -> None:
        os.write(self._end, key.encode())

    def paste(self, text: str) -> None:
        """Paste a text, as a terminal does, and press Enter."""
        begin, end = ("\x1b[200~", "\x1b[201~") if PASTES in self.screen.mode else ("", "")
        self.press(f"{begin}{text}{end}\r")

    def resize(self, columns: int) -> None:
        self.screen.resize(columns=columns)
        _set_columns(self._own, columns)

    def is_changed(self) -> bool:
        """Return whether the program has changed the terminal's settings."""
        return bool(termios.tcgetattr(self._own) != self.before)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(WAIT)
        os.close(self._end)
        os.close(self._own)


def _set_columns(terminal: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
