"""Read keys from a terminal without waiting for Enter."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from typing_extensions import Self

_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.|.)?")  # arrows, function keys, Alt
STEP = 0.02  # seconds between two checks if the system cannot wait for a key


class Keys:
    """A context where keys arrive at once and are not shown. It restores the terminal.

    Ctrl-C works as usual. Without a terminal there are no keys, and `read` only waits.
    """

    def __init__(self) -> None:
        self.there = sys.stdin is not None and sys.stdin.isatty()
        self._before: Any = None
        self._typed = ""

    def __enter__(self) -> Self:
        if self.there and os.name == "posix":
            import termios
            import tty

            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSANOW, self._before)

    def read(self, seconds: float) -> str:
        """Return the next key, or "" if none arrives within `seconds`.

        Keys that send more than one character, such as arrows, are ignored.
        """
        if not self.there:
            time.sleep(seconds)
            return ""
        if os.name != "posix":
            return _read_windows(seconds)
        if not self._typed and select.select([sys.stdin], [], [], seconds)[0]:
            data = os.read(sys.stdin.fileno(), 64)
            self.there = bool(data)  # otherwise the terminal is gone
            self._typed = _SEQUENCE.sub("", data.decode("ascii", "replace"))
        key, self._typed = self._typed[:1], self._typed[1:]
        return key

    def answer(self, at_once: str) -> str | None:
        """Return a key in `at_once` as soon as it is pressed, or all text up to Enter.

        Return None at the end of the input. Show the typed text.
        """
        typed, key = "", ""
        while self.there and key not in {"\r", "\n", "\x04"}:
            if key in {"\b", "\x7f"}:
                click.echo("\b \b" if typed else "", nl=False)
                typed = typed[:-1]
            elif key.isprintable():
                typed += key
                click.echo(key, nl=False)
            if len(typed) == 1 and typed.casefold() in at_once:
                break
            key = self.read(1.0)
        click.echo()
        return typed if self.there and key != "\x04" else None


def _read_windows(seconds: float) -> str:
    import msvcrt

    end = time.monotonic() + seconds
    while True:
        if msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
            return str(msvcrt.getwch()).replace("\r", "\n")  # type: ignore[attr-defined,unused-ignore]
        if time.monotonic() >= end:
            return ""
        time.sleep(STEP)
