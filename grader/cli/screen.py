"""Show on a line of the terminal what the grader is doing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from grader.cli.streams import make_console
from grader.text import safe


@contextmanager
def waiting(*, wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that names the running check on a line of the terminal, which disappears.

    Without a terminal, yield None.
    """
    console = make_console(stderr=True)
    is_there = sys.stdout.isatty() and sys.stderr.isatty() and not console.is_dumb_terminal
    if not (wanted and is_there):
        yield None
        return
    from rich.live import Live
    from rich.spinner import Spinner
    from rich.text import Text

    spinner = Spinner("line", "starting …")
    with Live(
        spinner, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ):
        yield lambda title: spinner.update(
            text=Text(safe(title), no_wrap=True, overflow="ellipsis", end="")
        )
