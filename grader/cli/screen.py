"""Draw one screen over another in a terminal; without one, print each below the last."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from rich.text import Text

from grader.text import safe

if TYPE_CHECKING:
    from rich.console import Console

Print = Callable[[], None]

HOME, TO_LINE_END, TO_SCREEN_END = "\x1b[H", "\x1b[K", "\x1b[J"
REMEMBER, RETURN = "\x1b7", "\x1b8"  # the place of the cursor


class Screen:
    """A report that stays until there is another, and a message below it."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.is_there = console.is_terminal and not console.is_dumb_terminal
        self._message = 0  # columns that it takes
        self._drawn_for: object = None  # the size of the terminal

    def draw(self, body: Print, foot: Print, rest: str) -> None:
        """Replace the screen by what `body` prints, with `foot` below it.

        If there is not enough room, the end of the body is missing, and `rest` says how to see it.
        The new screen is written over the old one in one go, so that nothing flickers.
        """
        self._drawn_for = self.console.size
        above, below = self._lines(body), self._lines(foot)
        if not self.is_there:
            self._write("\n".join([*above, *below, ""]))
            return
        lines = [*self._beginning(above, sum(map(self._rows, below)), rest), *below]
        if self.console.legacy_windows:  # it does not know these codes
            self.console.clear()
            self._write("\n".join([*lines, ""]))
        else:
            drawn = "".join(f"{line}{TO_LINE_END}\n" for line in lines)
            self._write(f"{HOME}{drawn}{TO_SCREEN_END}")
        self._message = 0

    @property
    def is_stale(self) -> bool:
        """Return whether the terminal has a different size now, and nothing else is below."""
        return self.is_there and self._drawn_for not in {None, self.console.size}

    def go_below(self) -> None:
        """Let something else be printed below the report."""
        self.clear_message()
        self._drawn_for = None

    def draw_heading(self, heading: Print) -> None:
        """Replace the first line of the screen, if `heading` fits into one, and leave the rest."""
        line, *others = self._lines(heading)
        if self.is_there and not (self.console.legacy_windows or others or self._rows(line) > 1):
            self._write(f"{REMEMBER}{HOME}{line}{TO_LINE_END}{RETURN}")

    def say(self, text: str) -> None:
        """Print a message. In a terminal the next output replaces it."""
        if not self.is_there:
            self.console.print(safe(text), style="dim")
            return
        self.clear_message()
        message = Text(safe(text), style="dim")
        message.truncate(self.console.width - 1, overflow="ellipsis")
        self._message = message.cell_len
        self.console.print(message, end="\r", soft_wrap=True)  # a line for slow checks replaces it

    def clear_message(self) -> None:
        """Remove the message from the terminal line."""
        if self._message:
            self._write(f"\r{' ' * self._message}\r")
            self._message = 0

    def _lines(self, printing: Print) -> list[str]:
        with self.console.capture() as capture:
            printing()
        return capture.get().removesuffix("\n").split("\n")

    def _beginning(self, lines: list[str], below: int, rest: str) -> list[str]:
        """Return as many lines as fit above the foot and the line for a message."""
        room = self.console.height - below - 1
        if sum(map(self._rows, lines)) <= room:
            return lines
        more = self._lines(lambda: self.console.print(rest, style="dim"))
        room -= sum(map(self._rows, more))
        kept: list[str] = []
        for line in lines:
            room -= self._rows(line)
            if room < 0:
                break
            kept.append(line)
        return [*kept, *more]

    def _rows(self, line: str) -> int:
        """Return how many rows of the terminal a printed line takes."""
        return max(1, ceil(Text.from_ansi(line).cell_len / self.console.width))

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()
