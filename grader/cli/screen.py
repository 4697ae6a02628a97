"""Draw one screen over another in a terminal; without one, print each below the last."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING

from grader.text import safe

if TYPE_CHECKING:
    from rich.console import Console

Print = Callable[[], None]


@contextmanager
def waiting(*, wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that names the running check on a line of the terminal, which disappears.

    Without a terminal, yield None.
    """
    if not wanted or not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield None
        return
    from rich.live import Live
    from rich.spinner import Spinner
    from rich.text import Text

    from grader.cli.streams import make_console

    console = make_console(stderr=True)
    if console.is_dumb_terminal:
        yield None
        return
    spinner = Spinner("line", "grading …")
    line = Live(
        spinner, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    with line:
        yield lambda title: spinner.update(
            text=Text(safe(title), no_wrap=True, overflow="ellipsis", end="")
        )


class Screen:
    """A report that stays until the next one, and a message below it."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.is_there = console.is_terminal and not console.is_dumb_terminal
        self._message = 0  # columns that it takes

    def draw(self, body: Print, foot: Print, rest: str) -> None:
        """Replace the screen with the output of `body`, with `foot` below it.

        If there is not enough room, the end of the body is missing, and `rest` says how to see it.
        """
        self._message = 0
        above, below = self._lines(body), self._lines(foot)
        if self.is_there:
            room = self.console.height - 1 - self._rows(below)  # the last line is for messages
            if self._rows(above) > room:
                more = self._lines(lambda: self.console.print(rest, style="dim"))
                while above and self._rows([*above, *more]) > room:
                    above.pop()
                above += more
            self.console.clear()
        self._write("\n".join([*above, *below, ""]))

    def say(self, text: str) -> None:
        """Print a message. In a terminal the next output replaces it."""
        from rich.text import Text

        self.clear_message()
        message = Text(safe(text), style="dim")
        if self.is_there:
            message.truncate(self.console.width - 1, overflow="ellipsis")
            self._message = message.cell_len
        # in a terminal, the line of `waiting` replaces it
        self.console.print(message, end="\r" if self.is_there else "\n", soft_wrap=self.is_there)

    def clear_message(self) -> None:
        """Remove the message from the terminal line."""
        if self._message:
            self._write(f"\r{' ' * self._message}\r")
            self._message = 0

    def _lines(self, printing: Print) -> list[str]:
        with self.console.capture() as capture:
            printing()
        return capture.get().removesuffix("\n").split("\n")

    def _rows(self, lines: list[str]) -> int:
        """Return how many rows of the terminal printed lines take."""
        from rich.text import Text

        columns = (Text.from_ansi(line).cell_len for line in lines)
        return sum(max(1, ceil(count / self.console.width)) for count in columns)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()
