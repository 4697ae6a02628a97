"""Hold everything visible of a trained network, as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

COLUMNS, ROWS = 56, 40  # of the grid where the network's scores are computed

Window = tuple[float, float, float, float]
"""The part of the plane to show: left, right, bottom, top."""


def centres(window: Window, columns: int, rows: int) -> list[list[tuple[float, float]]]:
    """Return the centres of the cells in a grid over the window, the top row first."""
    left, right, bottom, top = window
    width, height = (right - left) / columns, (top - bottom) / rows
    return [
        [(left + (column + 0.5) * width, top - (row + 0.5) * height) for column in range(columns)]
        for row in range(rows)
    ]


@dataclass(frozen=True)
class Picture:
    """The losses of at least one step, the examples as `((x, y), label)`, and the network's scores
    on a grid, the top row first.

    Without a grid, the network could no longer be evaluated. `together` steps are averaged into one
    reported loss.
    """

    losses: tuple[float, ...]
    together: int
    points: Sequence[tuple[tuple[float, float], float]]
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

    @property
    def placed(self) -> list[tuple[float, float, bool]]:
        """Return how far across and down the window each point in it is, from 0.0 to 1.0, and
        whether its label is positive.
        """
        left, right, bottom, top = self.window
        return [
            ((x - left) / (right - left), (top - y) / (top - bottom), label > 0)
            for (x, y), label in self.points
            if left <= x < right and bottom < y <= top
        ]

    def curve(self, most: int) -> list[float]:
        """Return the losses, averaged to a limited count of numbers."""
        count = len(self.losses)
        parts = min(most, count)
        return [
            mean(self.losses[part * count // parts : (part + 1) * count // parts])
            for part in range(parts)
        ]


def mean(numbers: Sequence[float]) -> float:
    """Return the mean, without a sum that could overflow."""
    return sum(number / len(numbers) for number in numbers)
