"""Draw a trained network as an SVG file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from grader.learner.training.colours import CURVE, POINTS, hexadecimal, shade
from grader.learner.training.picture import Picture
from grader.views.html import page

WIDTH = 640
CURVE_HEIGHT, MARGIN = 120, 16


def to_svg(picture: Picture) -> str:
    """Return the map with its points, the losses below it, and one line of text."""
    height, curve = _height(picture), picture.curve(min(len(picture.losses), WIDTH // 4))
    return page(
        "training.svg",
        width=WIDTH,
        height=height,
        whole=height + 24 + CURVE_HEIGHT + 2 * MARGIN + 20,
        cells=list(_cells(picture, height)),
        places=list(_places(picture)),
        line=" ".join(f"{x:.1f},{y:.1f}" for x, y in _line(curve, height + 24.0)),
        colour=hexadecimal(CURVE),
        summary=picture.summary,
        count=len(picture.losses),
        margin=MARGIN,
        base=height + 24 + MARGIN + CURVE_HEIGHT,
        high=f"{max(curve):.3g}",
    )


def _height(picture: Picture) -> int:
    return round(WIDTH * picture.window.shape)


def _cells(picture: Picture, height: float) -> Iterator[tuple[float, float, float, float, str]]:
    """Yield a rectangle and its colour for every run of equal colours in a row of the grid."""
    for index, row in enumerate(picture.grid):
        tall, wide = height / len(picture.grid), WIDTH / len(row)
        column = 0
        for fill, run in groupby(hexadecimal(shade(score)) for score in row):
            count = len(list(run))
            yield column * wide, index * tall, count * wide, tall, fill
            column += count


def _places(picture: Picture) -> Iterator[tuple[float, float, str]]:
    """Yield the places of the points inside the picture, with their colours."""
    for x, y, positive in picture.points:
        across, down = picture.window.across(x), picture.window.down(y)
        if 0 <= across < 1 and 0 <= down < 1:
            yield across * WIDTH, down * _height(picture), hexadecimal(POINTS[positive])


def _line(values: list[float], top: float) -> Iterator[tuple[float, float]]:
    """Yield the points of a line through the losses, in a band that starts at `top`."""
    low, high = min(0.0, *values), max(values)
    size, wide = high - low or 1.0, (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    for index, value in enumerate(values):
        yield MARGIN + index * wide, top + MARGIN + (high - value) / size * CURVE_HEIGHT
