"""Draw a trained network as an SVG file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from grader.learner.training.colours import CURVE, POINTS, hexadecimal, shade
from grader.learner.training.picture import Picture
from grader.views.html import page

WIDTH = 640
CURVE_HEIGHT, MARGIN = 120, 16

Line = list[tuple[float, float]]


def to_svg(picture: Picture) -> str:
    """Return the map with its points, the losses below it, and one line of text."""
    height = _height(picture)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in _line(picture, height + 24.0))
    places = [
        (f"{x:.1f}", f"{y:.1f}", hexadecimal(POINTS[positive]))
        for x, y, positive in _places(picture)
    ]
    curve = picture.curve(min(len(picture.losses), WIDTH // 4)) or [0.0]
    return page(
        "training.svg",
        width=WIDTH,
        height=height,
        whole=height + 24 + CURVE_HEIGHT + 2 * MARGIN + 20,
        cells=list(_cells(picture, height)),
        places=places,
        line=line,
        colour=hexadecimal(CURVE),
        summary=picture.summary,
        count=len(picture.losses),
        margin=MARGIN,
        base=height + 24 + MARGIN + CURVE_HEIGHT,
        high=f"{max(curve):.3g}",
    )


def _height(picture: Picture) -> int:
    return round(WIDTH * picture.window.shape)


def _cells(picture: Picture, height: float) -> Iterator[dict[str, str]]:
    """Yield a rectangle for every run of equal colours in a row of the grid."""
    for index, row in enumerate(picture.grid):
        tall, wide = height / len(picture.grid), WIDTH / len(row)
        column = 0
        for fill, run in groupby(hexadecimal(shade(score)) for score in row):
            count = len(list(run))
            yield {
                "x": f"{column * wide:.2f}",
                "y": f"{index * tall:.2f}",
                "width": f"{count * wide:.2f}",
                "height": f"{tall:.2f}",
                "fill": fill,
            }
            column += count


def _places(picture: Picture) -> list[tuple[float, float, bool]]:
    """Return the points inside the picture, with their places in it."""
    height = _height(picture)
    found = [
        (picture.window.across(x) * WIDTH, picture.window.down(y) * height, positive)
        for x, y, positive in picture.points
    ]
    return [(x, y, positive) for x, y, positive in found if 0 <= x < WIDTH and 0 <= y < height]


def _line(picture: Picture, top: float) -> Line:
    """Return the losses as points of a line, in a band that starts at `top`."""
    if not picture.losses:
        return []
    values = picture.curve(min(len(picture.losses), WIDTH // 4))
    low, high = min(0.0, *values), max(values)
    size, wide = high - low or 1.0, (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    return [
        (MARGIN + index * wide, top + MARGIN + (high - value) / size * CURVE_HEIGHT)
        for index, value in enumerate(values)
    ]
