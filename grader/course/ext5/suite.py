"""Extension 5: the judge recomputes every accuracy and every drawing from a network's weights.

It trains `train_moons` on its own points, with the two labels swapped, and judges the network on
new points.
"""

from __future__ import annotations

import itertools
import random

import pytest
from networks import Network, Shape, Trained, make_mlp, weights
from pictures import Point, Window, check_points, expect_circles, expect_squares, rows_of, svg_of
from trained_moons import GIVEN, GOAL, NEW, Try, draw_moons, train
from vocabulary import Learner

from grader.suite import Mismatch, Symbol

TILTED = Trained(Shape(2, (1,), ("linear",)), [0.4, 0.9, -0.3])
BENT = Trained(
    Shape(2, (4, 1), ("tanh", "linear")),
    [2.0, 1.5, -0.5, -1.0, 2.0, 0.5, 1.5, -2.0, 1.0, 0.5, 1.0, 1.0, 1.5, -1.0, 1.0, 0.5, -0.2],
)
FOLDED = Trained(
    Shape(2, (5, 1), ("relu", "linear")), weights(Shape(2, (5, 1), ("relu", "linear")), 3)
)


# --- the tests, in the order of the course ---


def test_accuracy(learner: Learner) -> None:
    """`accuracy` is the share classified correctly"""
    draw = random.Random(4)
    for model, count, wrong in (
        (TILTED, 1, 0),
        (TILTED, 1, 1),
        (TILTED, 1, 0),
        (TILTED, 4, 1),
        (BENT, 5, 5),
        (FOLDED, 3, 0),
        (FOLDED, 3, 1),
        (TILTED, 16, 6),
        (FOLDED, 8, 7),
    ):
        xs = _clear_points(model, count, draw)
        ys = [
            (1 if model.score(x) > 0 else -1) * (-1 if number < wrong else 1)
            for number, x in enumerate(xs)
        ]
        share = learner.make(Symbol, "accuracy", _network(learner, model).ref, xs, ys, name="share")
        learner.expect(share.reading(""), (count - wrong) / count)
        learner.fresh()


@pytest.fixture(scope="module")
def tries() -> list[Try]:
    """The trained networks."""
    return []


def test_learns(learner: Learner, tries: list[Try]) -> None:
    """`train_moons` gets 95% of 1000 new points right"""
    train(learner, tries)
    if not any(one.right >= GOAL * NEW for one in tries):
        most = max(one.right for one in tries)
        seen = max(one.network.count_right(*draw_moons(GIVEN, at)) for at, one in enumerate(tries))
        raise Mismatch(
            f"the network is right on {most} of {NEW} new points, and on {seen} of its {GIVEN}"
            " training points",
            expected=f"{GOAL * NEW:.0f} of {NEW}",
            got=f"{most} of {NEW}",
        )


def test_share(learner: Learner, tries: list[Try]) -> None:
    """`train_moons` returns its own accuracy"""
    train(learner, tries)
    for at, one in enumerate(tries):
        xs, ys = draw_moons(GIVEN, at)
        unsure = sum(abs(one.network.score(x)) < 1e-6 for x in xs)
        right = one.network.count_right(xs, ys)
        if not abs(one.share * GIVEN - right) <= unsure + 1e-3:
            raise Mismatch(
                f"the returned accuracy must be the returned network's, on the {GIVEN} points",
                expected=right / GIVEN,
                got=one.share,
            )


def test_boundary(learner: Learner) -> None:
    """`boundary` shows the sign of every cell"""
    for model in (TILTED, BENT, FOLDED):
        _check_boundary(learner, model, (-1.6, 2.6, -1.3, 1.7), 28, 10)


def test_window(learner: Learner) -> None:
    """`boundary` draws any window, in any size"""
    _check_boundary(learner, BENT, (-0.5, 0.5, -2.0, 2.0), 9, 16)
    _check_boundary(learner, FOLDED, (0.0, 3.0, -3.0, 0.5), 8, 7)
    _check_boundary(learner, TILTED, (10.0, 30.0, -15.0, -5.0), 20, 5)


def test_points(learner: Learner) -> None:
    """`with_points` marks the cell of every point"""
    rows = ["###..##.", "##......", "#.......", "........", "..####.."]
    xs = [[0.2, 4.7], [7.6, 0.3], [3.4, 2.2], [2.7, 4.4], [5.3, 1.6], [0.6, 0.4], [7.4, 4.3]]
    check_points(learner, rows, xs, [1, -1, 1, -1, -1, 1, 1], (0.0, 8.0, 0.0, 5.0))
    check_points(learner, ["#.", ".."], [], [], (0.0, 2.0, 0.0, 2.0))
    outside = [
        [-0.95, 1.3],
        [-1.7, 1.1],
        [1.3, 0.2],
        [0.1, 2.6],
        [0.4, -0.3],
        [0.9, 1.9],
        [-1.05, 0.5],
        [0.3, 0.7],
    ]
    check_points(
        learner,
        ["##.", "#..", "...", "###"],
        outside,
        [1, 1, -1, 1, -1, -1, -1, 1],
        (-1.0, 1.0, 0.0, 2.0),
    )


def test_svg(learner: Learner) -> None:
    """`to_svg` draws every character as a square"""
    for rows, window in (
        (["###.#.", "#.....", ".#..##"], (-1.0, 2.0, 0.0, 1.5)),
        (["#.", "..", ".#", ".."], (0.0, 1.0, 0.0, 2.0)),
    ):
        picture, reading = svg_of(learner, rows, [], [], window)
        expect_squares(picture, rows, reading)
        learner.fresh()


def test_svg_points(learner: Learner) -> None:
    """`to_svg` draws the points as circles on top"""
    rows, window = ["###..", "##...", "#....", "....."], (-1.0, 1.5, 1.0, 3.0)
    xs, ys = (
        [
            [-0.9, 2.85],
            [1.3, 1.2],
            [0.37, 2.62],
            [0.81, 1.53],
            [-0.6, 1.1],
            [3.0, 2.0],
            [0.2, -1.0],
        ],
        [1, -1, -1, 1, -1, 1, -1],
    )
    picture, reading = svg_of(learner, rows, xs, ys, window)
    expect_squares(picture, rows, reading)
    expect_circles(picture, rows, xs, ys, window, reading)


# --- the pictures ---


def _check_boundary(
    learner: Learner, model: Trained, window: Window, columns: int, rows: int
) -> None:
    network = _network(learner, model)
    picture = learner.make(
        Symbol, "boundary", network.ref, list(window), columns, rows, name="picture"
    )
    found = rows_of(learner, picture, columns, rows)
    left, right, bottom, top = window
    for row, column in itertools.product(range(rows), range(columns)):
        x = left + (column + 0.5) * (right - left) / columns
        y = top - (row + 0.5) * (top - bottom) / rows
        score, sign = model.score((x, y)), found[row][column]
        if abs(score) > 1e-6 and sign != (wanted := ".#"[score > 0]):
            raise Mismatch(
                f"row {row}, column {column}, counted from 0 at the top left, is x = {x:.4g}, y ="
                f" {y:.4g}, and the model's score there is {score:.3g}",
                expected=wanted,
                got=sign,
                reading=picture.reading(f"[{row}][{column}]", "value"),
            )
    learner.fresh()


# --- arguments for the learner's code ---


def _network(learner: Learner, model: Trained) -> Network:
    """Make the learner's MLP with these weights."""
    network = make_mlp(learner, model.shape)
    network.set(model.shape.paths, model.numbers)
    return network


def _clear_points(model: Trained, count: int, draw: random.Random) -> list[Point]:
    """Return points that are clearly on one side, many of them near the boundary."""
    found: list[Point] = []
    while len(found) < count:
        point = [draw.randrange(-20, 21) / 10, draw.randrange(-20, 21) / 10]
        if 0.05 < abs(model.score(point)) < (0.8 if len(found) % 2 else 9.0):
            found.append(point)
    return found
