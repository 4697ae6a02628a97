"""What is shown on a terminal while something takes long: the name of the check that is under way."""  # noqa: E501

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status
    from rich.text import Text

DELAY = 0.7  # seconds: most phases are graded before anybody waits


@contextmanager
def waiting(*, wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """Yield the function that shows a title, or None where there is no terminal. Remove the line
    afterwards.
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
    """It appears after a while, in a thread of its own: until then not even what draws it is
    imported.
    """

    def __init__(self) -> None:
        self._title = ""
        self._status: Status | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(DELAY, self._appear)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, title: str) -> None:
        """Show this from now on."""
        with self._lock:
            self._title = title
            if self._status is not None:
                self._status.update(_one_line(title))

    def _appear(self) -> None:
        from rich.status import Status

        from grader.cli.options import make_console

        console = make_console(stderr=True)
        with self._lock:
            if not console.is_dumb_terminal and not self._timer.finished.is_set():
                self._status = Status(_one_line(self._title), console=console, spinner="line")
                self._status.start()

    def close(self) -> None:
        """Take it away, or see to it that it does not appear."""
        self._timer.cancel()
        with self._lock:
            if self._status is not None:
                self._status.stop()


def _one_line(title: str) -> Text:
    from rich.text import Text

    from grader.text import safe

    return Text(safe(title), no_wrap=True, overflow="ellipsis", end="")
