"""Draw a trained network in the terminal: a map in colours or letters, and the losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from rich.console import Console, Group
from rich.style import Style
from rich.table import Table
from rich.text import Text

from grader.learner.training.colours import POINTS, hexadecimal, shade
from grader.learner.training.picture import Picture
from grader.views.console import has_unicode, print_text

WIDEST = 72  # columns of the map
LEAST, GAP = 22, 2  # columns that the losses need next to the map, and the space between
CURVE_ROWS = 6
GUTTER = 9  # columns for the numbers left of the losses
_POINT = ("O", "bold yellow"), ("x", "bold cyan")
_SCORE = ("#", "yellow"), (".", "cyan")
# the dots of a character, top row first
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))

Cell = Union[bool, float]
"""The label of a point, or the network's score."""


def print_picture(picture: Picture, console: Console) -> None:
    """Print the map and the losses, side by side if there is room, then a sentence about them."""
    columns, rows = _size(picture, console, 4)
    beside = console.width - columns - GAP
    if beside < LEAST:
        columns, rows = _size(picture, console, CURVE_ROWS + 6)
    parts = [_map(picture, columns, rows, console)] if picture.grid else []
    if parts and beside >= LEAST:
        table = Table.grid(padding=(0, GAP))
        table.add_row(
            *parts, _curve(picture, min(WIDEST, beside), max(CURVE_ROWS, rows // 2), console)
        )
        console.print(table)
    else:
        curve = _curve(picture, min(WIDEST, console.width - 1), CURVE_ROWS, console)
        console.print(Group(*parts, curve))
    print_text(Text(picture.summary, style="bold"), console)


def _size(picture: Picture, console: Console, other: int) -> tuple[int, int]:
    """Return the map's columns and rows, on a screen that also shows `other` lines."""
    columns = max(10, min(WIDEST, console.width - 1))
    rows = max(3, round(columns * picture.window.shape / 2))
    if console.is_terminal and rows > console.height - other:
        rows = max(8, console.height - other)
        columns = min(columns, round(rows * 2 / picture.window.shape))
    return columns, rows


def _map(picture: Picture, columns: int, rows: int, console: Console) -> Group:
    has_colours = not console.no_color and console.color_system in {"256", "truecolor"}
    if has_colours and has_unicode(console):
        return Group(*_blocks(_cells(picture, columns, 2 * rows)))
    return Group(*_letters(_cells(picture, columns, rows)))


def _cells(picture: Picture, columns: int, rows: int) -> list[list[Cell]]:
    """Return the rows of the map, whose cells hold the label of a point or a score."""
    window = picture.window
    labels = {
        (int(window.across(x) * columns), int(window.down(y) * rows)): positive
        for x, y, positive in picture.points
        if 0 <= window.across(x) < 1 and 0 <= window.down(y) < 1
    }
    return [
        [
            labels[column, row]
            if (column, row) in labels
            else picture.score((column + 0.5) / columns, (row + 0.5) / rows)
            for column in range(columns)
        ]
        for row in range(rows)
    ]


def _blocks(cells: list[list[Cell]]) -> Iterator[Text]:
    """Yield the map in half-blocks, two squares per character. A point is a dark square."""
    for upper, lower in zip(cells[::2], cells[1::2]):
        line = Text()
        for above, below in zip(upper, lower):
            line.append("▀", Style(color=_colour(above), bgcolor=_colour(below)))
        yield line
    legend = Text("score: ")
    for positive, meaning in ((True, "above 0"), (False, "below")):
        ground = _colour(1.0 if positive else -1.0)
        legend.append(" ● ", Style(color=_colour(positive), bgcolor=ground)).append(f" {meaning}  ")
    yield legend


def _colour(cell: Cell) -> str:
    return hexadecimal(POINTS[cell] if isinstance(cell, bool) else shade(cell))


def _letters(cells: list[list[Cell]]) -> Iterator[Text]:
    """Yield the map in letters, in two colours if the terminal has any."""
    for row in cells:
        line = Text()
        for cell in row:
            above, below = _POINT if isinstance(cell, bool) else _SCORE
            line.append(*(above if cell > 0 else below))
        yield line
    yield Text("# score above 0, . below; O and x: the points of each")


def _curve(picture: Picture, width: int, rows: int, console: Console) -> Group:
    """Return the losses with the axis's limits on the left and the steps below."""
    columns = max(4, width - GUTTER)
    fine = has_unicode(console)
    values = picture.curve(columns * (2 if fine else 1))
    low, high = min(0.0, *values), max(values)
    lines = (braille if fine else stars)(values, low, high, rows)
    labels = {0: f"{high:.3g}", rows - 1: f"{low:.3g}"}
    drawn = [
        Text(f"{labels.get(row, ''):>{GUTTER - 1}} ").append(line, "bold green")
        for row, line in enumerate(lines)
    ]
    last = f"step {len(picture.losses)}"
    return Group(
        *drawn, Text(f"{'loss':>{GUTTER - 1}} {'1':<{max(1, columns - len(last))}}{last}", "dim")
    )


def braille(values: list[float], low: float, high: float, rows: int) -> list[str]:
    """Return a line through the values, with two values and four heights per character."""
    cells = [[0] * ((len(values) + 1) // 2) for _ in range(rows)]
    for column, span in enumerate(_spans(values, low, high, 4 * rows)):
        for height in span:
            cells[height // 4][column // 2] |= _BRAILLE[height % 4][column % 2]
    return ["".join(chr(0x2800 + dots) for dots in row) for row in cells]


def stars(values: list[float], low: float, high: float, rows: int) -> list[str]:
    """Return the same line with one value and one height per character."""
    spans = [set(span) for span in _spans(values, low, high, rows)]
    return ["".join("*" if row in span else " " for span in spans) for row in range(rows)]


def _spans(values: list[float], low: float, high: float, rows: int) -> list[range]:
    """Return the rows that the line covers at each value, so that it has no gaps."""
    size = high - low or 1.0
    places = [min(rows - 1, int((high - value) / size * rows)) for value in values]
    return [
        range(min(place, before), max(place, before) + 1)
        for before, place in zip([places[0], *places], places)
    ]
