"""A learner's pictures of two moons, as text and as SVG."""

from __future__ import annotations

import math

from svg import Circle, NoSvgError, Picture
from vocabulary import Learner

from grader.suite import Mismatch, Reading, Symbol

Point = list[float]
SIDE = 10.0  # of a square in the SVG
NEAR = 0.6
Window = tuple[float, float, float, float]


def rows_of(learner: Learner, picture: Symbol, columns: int, rows: int) -> list[str]:
    """Return a picture as strings; raise Mismatch unless it has this size."""
    reading = picture.reading("", "value")
    (answer,) = learner.read([reading])
    if not isinstance(answer, list) or not all(isinstance(row, str) for row in answer):
        why = "a picture must be a list of strings, one for each row"
        raise learner.wrong_type(reading, why, "a list of strings")
    found = [str(row) for row in answer]
    if [len(row) for row in found] != [columns] * rows:
        raise Mismatch(
            f"the picture must have {rows} rows with {columns} characters each",
            expected=str([columns] * rows),
            got=str([len(row) for row in found]),
            reading=reading,
        )
    return found


def check_points(
    learner: Learner, rows: list[str], xs: list[Point], ys: list[int], window: Window
) -> None:
    """Check where `with_points` draws these points."""
    given = learner.expression(repr(rows), "rows")
    picture = learner.make(Symbol, "with_points", given, xs, ys, list(window), name="picture")
    found = rows_of(learner, picture, len(rows[0]), len(rows))
    if rows_of(learner, given, len(rows[0]), len(rows)) != rows:
        raise Mismatch(
            "`with_points` must return a new list and must not change the rows",
            expected="the same rows",
            got="changed rows",
            reading=given.reading("", "value"),
        )
    marks = {
        place: ("O" if label > 0 else "x", f"the point ({point[0]:g}, {point[1]:g}) is")
        for point, place, label in zip(xs, places(rows, xs, window), ys)
        if place is not None
    }
    for row, signs in enumerate(rows):
        for column, own in enumerate(signs):
            sign, what = marks.get((column, row), (own, "no point is"))
            if found[row][column] != sign:
                raise Mismatch(
                    f"{what} in row {row}, column {column}, counted from 0 at the top left",
                    expected=sign,
                    got=found[row][column],
                    reading=picture.reading(f"[{row}][{column}]", "value"),
                )
    learner.fresh()


def places(rows: list[str], xs: list[Point], window: Window) -> list[tuple[int, int] | None]:
    """Return the column and the row of every point; None for one outside."""
    exact = [exact_place(rows, point, window) for point in xs]
    inside = [0 <= x < len(rows[0]) and 0 <= y < len(rows) for x, y in exact]
    return [
        (math.floor(x), math.floor(y)) if within else None for (x, y), within in zip(exact, inside)
    ]


def exact_place(rows: list[str], point: Point, window: Window) -> tuple[float, float]:
    """Return where a point is, in cells from the top left corner."""
    left, right, bottom, top = window
    return (point[0] - left) / (right - left) * len(rows[0]), (top - point[1]) / (
        top - bottom
    ) * len(rows)


def svg_of(
    learner: Learner, rows: list[str], xs: list[Point], ys: list[int], window: Window
) -> tuple[Picture, Reading]:
    """Return the picture and its reading."""
    svg = learner.make(Symbol, "to_svg", rows, xs, ys, list(window), name="svg")
    reading = svg.reading("", "document")
    (answer,) = learner.read([reading])
    if not isinstance(answer, str):
        why = "`to_svg` must return the text, of a reasonable length"
        raise learner.wrong_type(reading, why, "a str")
    try:
        picture = Picture(answer)
    except NoSvgError as error:
        raise Mismatch(
            f"a browser would not show this as intended: {error}",
            expected="valid SVG",
            got="invalid text",
            reading=reading,
        ) from None
    width, height = SIDE * len(rows[0]), SIDE * len(rows)
    if (picture.width, picture.height) != (width, height):
        raise Mismatch(
            f"the picture must be as large as its squares, {SIDE:g} by {SIDE:g} each",
            expected=f"{width:g} by {height:g}",
            got=f"{picture.width:g} by {picture.height:g}",
            reading=reading,
        )
    return picture, reading


def expect_squares(picture: Picture, rows: list[str], reading: Reading) -> None:
    """Raise Mismatch unless every square has the colour of its side."""
    colours: dict[str, str] = {}
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            x, y = SIDE * column, SIDE * row
            found = {
                picture.colour(x + dx, y + dy)
                for dx, dy in ((5.0, 5.0), (1.0, 1.0), (9.0, 1.0), (1.0, 9.0), (9.0, 9.0))
            }
            wanted = colours.setdefault(sign, min(found))
            if found != {wanted} or not wanted:
                raise Mismatch(
                    f"the square of row {row}, column {column}, from ({x:g}, {y:g}) to"
                    f' ({x + SIDE:g}, {y + SIDE:g}), must have the colour of "{sign}"',
                    expected=wanted or "a colour",
                    got=" and ".join(sorted(found - {""})) or "no rectangle",
                    reading=reading,
                )
    if len(set(colours.values())) < len(colours):
        raise Mismatch(
            "the two sides must have different colours",
            expected="two colours",
            got=next(iter(colours.values())),
            reading=reading,
        )


def expect_circles(  # noqa: PLR0913, PLR0917 - a picture and its contents
    picture: Picture,
    rows: list[str],
    xs: list[Point],
    ys: list[int],
    window: Window,
    reading: Reading,
) -> None:
    """Raise Mismatch unless every point in the window is a circle in its label's colour."""
    colours = {
        picture.colour(SIDE / 2, SIDE / 2),
        picture.colour(SIDE * len(rows[0]) - 1, SIDE * len(rows) - 1),
    }
    left = list(picture.circles)
    fills: dict[int, str] = {}
    for point, place, label in zip(xs, places(rows, xs, window), ys):
        if place is None:
            continue
        x, y = exact_place(rows, point, window)
        circle = _expect_circle(left, point, (SIDE * x, SIDE * y), reading)
        left.remove(circle)
        fill = fills.setdefault(label, circle.fill)
        if circle.fill != fill:
            raise Mismatch(
                "points with the same label must have the same colour",
                expected=fill,
                got=circle.fill,
                reading=reading,
            )
    if left:
        raise Mismatch(
            "there are more circles than points in the window",
            expected="no circle",
            got=f"a circle around ({left[0].x:g}, {left[0].y:g})",
            reading=reading,
        )
    if len(colours | set(fills.values())) < len(colours) + len(fills):
        raise Mismatch(
            "the two labels need two different colours, and the squares use neither",
            expected="four colours",
            got=" ".join(sorted(colours | set(fills.values()))),
            reading=reading,
        )


def _expect_circle(
    circles: list[Circle], point: Point, centre: tuple[float, float], reading: Reading
) -> Circle:
    """Return the circle around this centre; raise Mismatch if there is none."""
    x, y = centre
    for circle in circles:
        if abs(circle.x - x) < NEAR and abs(circle.y - y) < NEAR:
            return circle
    near = min(circles, key=lambda one: math.dist((one.x, one.y), centre), default=None)
    drawn = f"; the nearest one is around ({near.x:.4g}, {near.y:.4g})" if near else ""
    raise Mismatch(
        f"the point ({point[0]:g}, {point[1]:g}) must be a visible circle around"
        f" ({x:.4g}, {y:.4g}){drawn}",
        expected="a circle",
        got="no circle",
        reading=reading,
    )
