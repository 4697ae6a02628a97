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
        self,
        folder: Path,
        columns: int,
        *args: str,
        program: Sequence[str] = GRADE,
        lines: int = 40,
        **environment: str,
    ) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.sent = b""
        self._stream = pyte.ByteStream(self.screen)
        self._end, own = pty.openpty()
        _set_size(own, lines, columns)
        usual = {"TERM": "xterm-256color", "PYTHONUTF8": "1"}
        hidden = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"}
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        self.before = termios.tcgetattr(own)
        self._own = own
        self.process = subprocess.Popen(
            [*program, *args],
            cwd=folder,
            stdin=own,
            stdout=own,
            stderr=own,
            env={**kept, **usual, **environment},
            start_new_session=True,
        )

    def read(self, seconds: float) -> bool:
        """Take what the program has sent. Return whether there was anything within this time."""
        if not select.select([self._end], [], [], seconds)[0]:
            return False
        data = os.read(self._end, 65536)
        self.sent += data
        self._stream.feed(data)
        return True

    def until(self, right: Callable[[str], bool]) -> str:
        """Wait for a screen that is right, and return its text."""
        end = time.monotonic() + WAIT
        while not right(text := self.text()):
            self.read(0.05)
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
        while self.read(0):
            pass
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
        _set_size(self._own, 40, columns)

    def is_changed(self) -> bool:
        """Return whether the program has changed the terminal's settings."""
        return bool(termios.tcgetattr(self._own) != self.before)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(WAIT)
        os.close(self._end)
        os.close(self._own)


def _set_size(terminal: int, lines: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
