"""Cut a line and its neighbour, or several lines, out of the learner's source, unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_SHOWN = 4  # lines to show together; of more, only the first
MAX_LINE = 200  # characters
_BEGINS = re.compile(r"\s*(@|class\b|def\b|async def\b)")
_TRIPLE = re.compile(r"[\"']{3}")


def cut_out(source: bytes, line: int, last: int = 0) -> tuple[tuple[int, str], ...]:
    """Return a line and one line of code next to it, or the lines until the `last` one, with their
    numbers; empty if there is none.

    Above a function's first line is the end of another function, so it gets the line below.
    """
    lines = source.splitlines()
    own = _text(lines, line)
    if not own:
        return ()
    numbers = [*range(line, last + 1)]
    if last <= line:
        near = line + 1 if _BEGINS.match(own) else _above(lines, line)
        numbers = sorted([line] if _TRIPLE.search(_text(lines, near)) else [line, near])
    return tuple((number, text) for number in numbers if (text := _text(lines, number)))


def _above(lines: Sequence[bytes], line: int) -> int:
    """Return the closest line of code above, or the `def` of a docstring there; otherwise 0."""
    above = (
        number
        for number in range(line - 1, 0, -1)
        if (text := _text(lines, number)) and not text.lstrip().startswith("#")
    )
    near = next(above, 0)
    if not _TRIPLE.search(_text(lines, near)):
        return near
    own = _indent(_text(lines, line))
    return next((number for number in above if _indent(_text(lines, number)) < own), 0)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _text(lines: Sequence[bytes], number: int) -> str:
    """Return a line by its number; an empty string if there is none."""
    line = lines[number - 1] if 0 < number <= len(lines) else b"\0"
    return (
        "" if b"\0" in line else line[:MAX_LINE].decode("utf-8", "replace").expandtabs(4).rstrip()
    )
