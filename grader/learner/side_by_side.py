"""Print two versions of the same functions, side by side if the terminal is wide enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.text import safe

WIDE = 120
Row = tuple[str, str, bool]


def print_beside(functions: Sequence[tuple[str, str | None, str]], console: Console) -> None:
    """Print each function: its name, the learner's lines if there are any, and the reference's.

    Differences are marked.
    """
    for name, mine, reference in functions:
        console.print(Text(name, style="bold"))
        if mine is None:
            _print_lines([(" ", line, "") for line in reference.splitlines()], console)
        elif _same(mine, reference):
            console.print(Text("  identical to yours", style="green"))
        elif console.width >= WIDE:
            _print_columns(list(_rows(mine, reference)), console)
        else:
            _print_lines(list(_unified(mine, reference)), console)
        console.print()


def _same(mine: str, reference: str) -> bool:
    return [line.rstrip() for line in mine.splitlines()] == [
        line.rstrip() for line in reference.splitlines()
    ]


def _rows(mine: str, reference: str) -> Iterator[Row]:
    """Yield matching lines, and whether they differ."""
    left, right = mine.splitlines(), reference.splitlines()
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        for index in range(max(b - a, d - c)):
            yield (
                left[a + index] if a + index < b else "",
                right[c + index] if c + index < d else "",
                tag != "equal",
            )


def _unified(mine: str, reference: str) -> Iterator[tuple[str, str, str]]:
    left, right = mine.splitlines(), reference.splitlines()
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from ((" ", line, "") for line in left[a:b])
        else:
            yield from (("-", line, "red") for line in left[a:b])
            yield from (("+", line, "green") for line in right[c:d])


def _print_columns(rows: Sequence[Row], console: Console) -> None:
    table = Table(box=None, padding=(0, 1), expand=True)
    table.add_column("yours", ratio=1)
    table.add_column("", width=1)
    table.add_column("the reference", ratio=1)
    for left, right, differs in rows:
        table.add_row(
            Text(safe(left), style="red" if differs else ""),
            Text("|" if differs else " "),
            Text(safe(right), style="green" if differs else ""),
        )
    console.print(table)


def _print_lines(lines: Sequence[tuple[str, str, str]], console: Console) -> None:
    if any(sign != " " for sign, _, _ in lines):
        console.print(Text("  - yours, + the reference", style="dim"))
    for sign, line, style in lines:
        console.print(Text(f"  {sign} {safe(line)}", style=style), soft_wrap=True)
