"""Draw a trained network in the terminal: a map in letters, and the losses as bars."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from grader.learner.training.training import COLUMNS, Training
from grader.views.console import has_unicode, print_text

_POINT = {True: ("O", "bold yellow"), False: ("x", "bold cyan")}
_SCORE = {True: ("#", "yellow"), False: (".", "cyan")}


def print_picture(training: Training, console: Console) -> None:
    """Print the map, the losses, then a sentence about them. They fit into 80 by 24 characters."""
    if training.grid:
        _print_map(training, console)
        print_text(Text("# score above 0, . below; O and x: the points of each"), console)
    bars = "▁▂▃▄▅▆▇█" if has_unicode(console) else "12345678"
    curve = training.curve(min(COLUMNS, console.width - 6))
    low, high = min(0.0, *curve), max(curve)
    heights = (int((loss - low) / (high - low or 1.0) * (len(bars) - 1)) for loss in curve)
    console.print(
        Text.assemble("loss ", ("".join(bars[height] for height in heights), "bold green"))
    )
    print_text(Text(training.summary, style="bold"), console)


def _print_map(training: Training, console: Console) -> None:
    """Print the grid's cells, or every second or third if the terminal is narrow.

    A character is twice as tall as it is wide.
    """
    step = -(-len(training.grid[0]) // console.width)
    cells = [[_SCORE[score > 0] for score in row[::step]] for row in training.grid[:: 2 * step]]
    for across, down, positive in training.placed:
        cells[int(down * len(cells))][int(across * len(cells[0]))] = _POINT[positive]
    for line in cells:
        console.print(Text.assemble(*line))
