"""Draw a trained network as an SVG file.

Scores above 0 are orange and scores below it are blue. The farther from 0, the deeper the colour.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.learner.training.training import Training
from grader.views.html import page

WIDTH = 640
CURVE_HEIGHT, MARGIN = 120, 16
COLOURS = {True: "#f09e54", False: "#5ea6cc"}
POINTS = {True: "#862904", False: "#062e54"}
CURVE = "#168054"
FAR = 3.0  # the score with the deepest colour


def to_svg(training: Training) -> str:
    """Return the map with its points, the losses below it, and one line of text."""
    left, right, bottom, top = training.show.window
    height = round(WIDTH * (top - bottom) / (right - left))
    curve = training.curve(WIDTH // 4)
    return page(
        "training.svg",
        width=WIDTH,
        height=height,
        whole=height + 24 + CURVE_HEIGHT + 2 * MARGIN + 20,
        cells=list(_cells(training, height)),
        places=[
            (across * WIDTH, down * height, POINTS[positive])
            for across, down, positive in training.placed
        ],
        line=" ".join(f"{x:.1f},{y:.1f}" for x, y in _line(curve, height + 24.0)),
        colour=CURVE,
        summary=training.summary,
        count=len(training.losses),
        margin=MARGIN,
        base=height + 24 + MARGIN + CURVE_HEIGHT,
        high=f"{max(curve):.3g}",
    )


def _cells(
    training: Training, height: int
) -> Iterator[tuple[float, float, float, float, str, float]]:
    """Yield the place, the size, the colour and its opacity of every cell of the grid."""
    for down, row in enumerate(training.grid):
        tall, wide = height / len(training.grid), WIDTH / len(row)
        for across, score in enumerate(row):
            opacity = 0.2 + 0.8 * min(1.0, abs(score) / FAR)
            yield across * wide, down * tall, wide, tall, COLOURS[score > 0], opacity


def _line(values: list[float], top: float) -> Iterator[tuple[float, float]]:
    """Yield the points of a line through the losses, in a band that starts at `top`."""
    low, high = min(0.0, *values), max(values)
    size, wide = high - low or 1.0, (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    for index, value in enumerate(values):
        yield MARGIN + index * wide, top + MARGIN + (high - value) / size * CURVE_HEIGHT
