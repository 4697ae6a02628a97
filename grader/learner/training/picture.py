"""What there is to see of a network that was trained: plain numbers, and no network any more."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

COLUMNS, ROWS = 56, 40  # of the grid on which the network was asked


class Window(NamedTuple):
    """The part of the plane that is shown."""

    left: float
    right: float
    bottom: float
    top: float

    def across(self, x: float) -> float:
        """How far to the right a place is, from 0.0 to 1.0."""
        return (x - self.left) / (self.right - self.left)

    def down(self, y: float) -> float:
        """How far down a place is, from 0.0 to 1.0: rows of pictures are counted from the top."""
        return (self.top - y) / (self.top - self.bottom)

    @property
    def shape(self) -> float:
        """The height of one that is 1 wide."""
        return (self.top - self.bottom) / (self.right - self.left)

    def centres(self, columns: int, rows: int) -> list[list[tuple[float, float]]]:
        """The centres of the cells that it is cut into, the top row first."""
        width, height = (self.right - self.left) / columns, (self.top - self.bottom) / rows
        return [
            [
                (self.left + (column + 0.5) * width, self.top - (row + 0.5) * height)
                for column in range(columns)
            ]
            for row in range(rows)
        ]


class Point(NamedTuple):
    """One example: where it lies, and whether its label is the positive one."""

    x: float
    y: float
    positive: bool


@dataclass(frozen=True)
class Picture:
    """The losses of all steps, the examples, and the scores of the network on a grid over the
    window, its top row first.

    There is no grid where the network could not be asked any more. `together` steps make up what is
    told as one loss.
    """

    losses: tuple[float, ...]
    together: int
    points: tuple[Point, ...]
    window: Window
    grid: tuple[tuple[float, ...], ...] = ()
    right: int | None = None

    @property
    def told(self) -> str:
        """All of it in a sentence."""
        if not self.losses:
            return "no step was completed"
        steps = f"{len(self.losses)} step{'s' * (len(self.losses) > 1)}"
        several = self.together if len(self.losses) > self.together else 1
        what = "mean loss" if several > 1 else "loss"  # of an epoch: a single batch may have none
        loss = (
            f"{what} {mean(self.losses[:several]):.3g} to {mean(self.losses[-several:]):.3g} in"
            f" {steps}"
        )
        return (
            loss
            if self.right is None
            else f"{loss}; {self.right} of {len(self.points)} points on the right side"
        )

    def score(self, across: float, down: float) -> float:
        """The score at a place of the window, between the centres of the grid's cells."""
        column = min(max(across * len(self.grid[0]) - 0.5, 0.0), len(self.grid[0]) - 1.0)
        row = min(max(down * len(self.grid) - 0.5, 0.0), len(self.grid) - 1.0)
        x, y = min(int(column), len(self.grid[0]) - 2), min(int(row), len(self.grid) - 2)
        upper, lower = self.grid[y], self.grid[y + 1]
        part = column - x
        return (1 - row + y) * ((1 - part) * upper[x] + part * upper[x + 1]) + (row - y) * (
            (1 - part) * lower[x] + part * lower[x + 1]
        )

    def curve(self, width: int) -> list[float]:
        """The losses, so many of them: means where there were more."""
        count = len(self.losses)
        edges = [index * count / width for index in range(width + 1)]
        return [
            mean(self.losses[int(first) : max(int(first) + 1, math.ceil(last))])
            for first, last in itertools.pairwise(edges)
        ]


def mean(numbers: tuple[float, ...]) -> float:
    """Their mean."""
    return sum(number / len(numbers) for number in numbers)  # of numbers whose sum may be too large
