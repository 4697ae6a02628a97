"""Cut a line and its closest neighbour out of the learner's source, as they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_LINE = 200  # characters
_BEGINS = re.compile(r"\s*(@|class\b|def\b|async def\b)")
_TRIPLE = re.compile(r"[\"']{3}")


def cut_out(source: bytes, line: int) -> tuple[tuple[int, str], ...]:
    """Return a line and one line of code next to it, with their numbers; empty if there is none.

    Above a line that begins a function is the end of a different one, so it gets the line below.
    """
    lines = [_text(each) for each in source.splitlines()]
    own = lines[line - 1] if 0 < line <= len(lines) else ""
    if not own:
        return ()
    near = line + 1 if _BEGINS.match(own) else _above(lines, line)
    numbers = [line]
    if 0 < near <= len(lines) and lines[near - 1] and not _TRIPLE.search(lines[near - 1]):
        numbers = sorted([line, near])
    return tuple((number, lines[number - 1]) for number in numbers)


def _above(lines: Sequence[str], line: int) -> int:
    """Return the closest line of code above, or what a docstring there belongs to; otherwise 0."""
    above = [
        number
        for number in range(line - 1, 0, -1)
        if lines[number - 1] and not lines[number - 1].lstrip().startswith("#")
    ]
    if above and _TRIPLE.search(lines[above[0] - 1]):
        own = _indent(lines[line - 1])
        above = [number for number in above if _indent(lines[number - 1]) < own]
    return above[0] if above else 0


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _text(line: bytes) -> str:
    if b"\0" in line:
        return ""
    return line[:MAX_LINE].decode("utf-8", "replace").expandtabs(4).rstrip()
