"""Print two versions of the same functions, side by side if the terminal is wide enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.text import safe

WIDE = 120


def print_beside(functions: Sequence[tuple[str, str | None, str]], console: Console) -> None:
    """Print each function: its name, the learner's lines if there are any, and the reference's.

    Differences are marked.
    """
    for name, mine, reference in functions:
        console.print(Text(name, style="bold"))
        if mine is None:
            _print_lines(reference.splitlines(), " ", "", console)
        elif _same(mine, reference):
            console.print(Text("  identical to yours", style="green"))
        elif console.width >= WIDE:
            _print_columns(mine, reference, console)
        else:
            _print_below(mine, reference, console)
        console.print()


def _same(mine: str, reference: str) -> bool:
    return [line.rstrip() for line in mine.splitlines()] == [
        line.rstrip() for line in reference.splitlines()
    ]


def _pieces(mine: str, reference: str) -> Iterator[tuple[list[str], list[str], bool]]:
    """Yield matching groups of lines, and whether they differ."""
    left, right = mine.splitlines(), reference.splitlines()
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        yield left[a:b], right[c:d], tag != "equal"


def _print_columns(mine: str, reference: str, console: Console) -> None:
    table = Table(box=None, padding=(0, 1), expand=True)
    table.add_column("yours", ratio=1)
    table.add_column("", width=1)
    table.add_column("the reference", ratio=1)
    for lines, others, differs in _pieces(mine, reference):
        for left, right in zip_longest(lines, others, fillvalue=""):
            table.add_row(
                Text(safe(left), style="red" if differs else ""),
                "|" if differs else " ",
                Text(safe(right), style="green" if differs else ""),
            )
    console.print(table)


def _print_below(mine: str, reference: str, console: Console) -> None:
    console.print(Text("  - yours, + the reference", style="dim"))
    for lines, others, differs in _pieces(mine, reference):
        _print_lines(lines, "-" if differs else " ", "red" if differs else "", console)
        _print_lines(others if differs else [], "+", "green", console)


def _print_lines(lines: Sequence[str], sign: str, style: str, console: Console) -> None:
    for line in lines:
        console.print(Text(f"  {sign} {safe(line)}", style=style), soft_wrap=True)
