"""Hold everything there is to see of a trained network, as plain numbers."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

COLUMNS, ROWS = 56, 40  # of the grid at which the network's scores are computed


class Window(NamedTuple):
    """The part of the plane to show."""

    left: float
    right: float
    bottom: float
    top: float

    def across(self, x: float) -> float:
        """Return how far right a place is, from 0.0 to 1.0."""
        return (x - self.left) / (self.right - self.left)

    def down(self, y: float) -> float:
        """Return how far down a place is, from 0.0 to 1.0. Pictures count rows from the top."""
        return (self.top - y) / (self.top - self.bottom)

    @property
    def shape(self) -> float:
        """Return the height of a window of width 1 with the same shape."""
        return (self.top - self.bottom) / (self.right - self.left)

    def centres(self, columns: int, rows: int) -> list[list[tuple[float, float]]]:
        """Return the centres of the cells in a grid over the window, the top row first."""
        width, height = (self.right - self.left) / columns, (self.top - self.bottom) / rows
        return [
            [
                (self.left + (column + 0.5) * width, self.top - (row + 0.5) * height)
                for column in range(columns)
            ]
            for row in range(rows)
        ]


class Point(NamedTuple):
    """One example: its place, and whether its label is positive."""

    x: float
    y: float
    positive: bool


@dataclass(frozen=True)
class Picture:
    """The losses of at least one step, the examples, and the network's scores on a grid, the top
    row first.

    Without a grid, the network could no longer be evaluated. `together` steps are averaged into one
    reported loss.
    """

    losses: tuple[float, ...]
    together: int
    points: tuple[Point, ...]
    window: Window
    grid: tuple[tuple[float, ...], ...] = ()
    right: int | None = None

    @property
    def summary(self) -> str:
        """Return a sentence that sums it up."""
        steps = f"{len(self.losses)} step{'s' * (len(self.losses) > 1)}"
        several = self.together if len(self.losses) > self.together else 1
        what = "mean loss" if several > 1 else "loss"  # of an epoch; one batch may have none
        first, last = mean(self.losses[:several]), mean(self.losses[-several:])
        loss = f"{what} {first:.3g} to {last:.3g} in {steps}"
        if self.right is None:
            return loss
        return f"{loss}; {self.right} of {len(self.points)} points on the right side"

    def score(self, across: float, down: float) -> float:
        """Return the score at a place of the window, interpolated between the grid's cells."""
        column = min(max(across * len(self.grid[0]) - 0.5, 0.0), len(self.grid[0]) - 1.0)
        row = min(max(down * len(self.grid) - 0.5, 0.0), len(self.grid) - 1.0)
        x, y = min(int(column), len(self.grid[0]) - 2), min(int(row), len(self.grid) - 2)
        upper, lower = self.grid[y], self.grid[y + 1]
        part = column - x
        return (1 - row + y) * ((1 - part) * upper[x] + part * upper[x + 1]) + (row - y) * (
            (1 - part) * lower[x] + part * lower[x + 1]
        )

    def curve(self, width: int) -> list[float]:
        """Return `width` losses, averaged if there are more."""
        count = len(self.losses)
        edges = [index * count / width for index in range(width + 1)]
        return [
            mean(self.losses[int(first) : max(int(first) + 1, math.ceil(last))])
            for first, last in itertools.pairwise(edges)
        ]


def mean(numbers: tuple[float, ...]) -> float:
    """Return the mean, without a sum that could overflow."""
    return sum(number / len(numbers) for number in numbers)
