"""Name the running check on a line in the terminal if grading takes long."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status
    from rich.text import Text

DELAY = 0.7  # seconds; most phases are graded sooner


@contextmanager
def waiting(*, wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that shows a title, or None without a terminal.

    Remove the line at the end.
    """
    if not wanted or not all(
        stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr)
    ):
        yield None
        return
    line = _Line()
    try:
        yield line.tell
    finally:
        line.close()


class _Line:
    """Appears after DELAY seconds, in its own thread. Imports rich only then."""

    def __init__(self) -> None:
        self._title = ""
        self._status: Status | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(DELAY, self._appear)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, title: str) -> None:
        """Show this title from now on."""
        with self._lock:
            self._title = title
            if self._status is not None:
                self._status.update(_one_line(title))

    def _appear(self) -> None:
        from rich.status import Status

        from grader.cli.streams import make_console

        console = make_console(stderr=True)
        with self._lock:
            if not console.is_dumb_terminal and not self._timer.finished.is_set():
                self._status = Status(_one_line(self._title), console=console, spinner="line")
                self._status.start()

    def close(self) -> None:
        """Remove the line, or keep it from appearing."""
        self._timer.cancel()
        with self._lock:
            if self._status is not None:
                self._status.stop()


def _one_line(title: str) -> Text:
    from rich.text import Text

    from grader.text import safe

    return Text(safe(title), no_wrap=True, overflow="ellipsis", end="")
