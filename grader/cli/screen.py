"""Draw one screen over another in a terminal; without one, print each below the last."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from grader.text import safe

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
    spinner = Spinner("line", "starting …")
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

    def draw(self, *parts: Print) -> None:
        """Replace the screen with the output of these functions."""
        if self.is_there:
            self.console.clear()
        for part in parts:
            part()

    def say(self, text: str) -> None:
        """Print a message. In a terminal the next output replaces it."""
        from rich.text import Text

        self.clear_message()
        message = Text(safe(text), style="dim")
        if self.is_there:
            message.truncate(self.console.width - 1, overflow="ellipsis")
        # in a terminal, the line of `waiting` replaces it
        self.console.print(message, end="\r" if self.is_there else "\n", soft_wrap=self.is_there)

    def clear_message(self) -> None:
        """Remove the message from the terminal line."""
        from rich.control import Control
        from rich.segment import ControlType

        if self.is_there:
            self.console.control(Control((ControlType.ERASE_IN_LINE, 2)))
