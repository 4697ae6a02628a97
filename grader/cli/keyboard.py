"""Single keys from a terminal, without waiting for the end of a line."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.|.)?")  # arrows, function keys, Alt
STEP = 0.02  # seconds, between two looks where the system cannot wait for a key


class Keys:
    """While it is entered, keys arrive at once and are not shown; the terminal is as before
    afterwards. Ctrl-C stays what it is.

    Without a terminal there are no keys, and `read` just waits.
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
        """The next key, or nothing if there is none for so long. Those that send more than one
        character are left out.
        """
        if not self.there:
            time.sleep(seconds)
            return ""
        if os.name != "posix":
            return _read_windows(seconds)
        if not self._typed:
            self._typed = self._arrived(seconds)
        key, self._typed = self._typed[:1], self._typed[1:]
        return key

    def _arrived(self, seconds: float) -> str:
        """What has been typed, without the keys that send more than one character."""
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        if not ready:
            return ""
        data = os.read(sys.stdin.fileno(), 64)
        if not data:  # the terminal is gone
            self.there = False
        return _SEQUENCE.sub("", data.decode("ascii", "replace"))


def _read_windows(seconds: float) -> str:
    import msvcrt

    end = time.monotonic() + seconds
    while True:
        if msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
            return str(msvcrt.getwch())  # type: ignore[attr-defined,unused-ignore]
        if time.monotonic() >= end:
            return ""
        time.sleep(STEP)
