"""A learner's pictures of two moons, as text and as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from svg import Circle, NoSvgError, Picture
from vocabulary import Learner

from grader.suite import Kind, Mismatch, Reading, Symbol

Point = list[float]
IN_PIECES = (  # the worker clips longer texts
    "lambda text: [text[i : i + 350] for i in range(0, len(text), 350)]"
)
MAX_PIECES = 4_000
SIDE = 10.0  # of a square in the SVG
NEAR = 0.6
Window = tuple[float, float, float, float]


def wrong_cells(
    found: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Return the row and column of each wrong character."""
    return [
        (row, column)
        for row, signs in enumerate(wanted)
        for column, sign in enumerate(signs)
        if sign not in {"?", found[row][column]}
    ]


def what_is_wrong(found: list[str], wanted: list[str]) -> str:
    """Return the one mistake that explains the whole picture, if there is one."""
    turned = {
        "the picture is upside down: the first row is the top, with the largest y": found[::-1],
        "the picture is mirrored: the first column is the left, with the smallest x": [
            row[::-1] for row in found
        ],
        "the picture is rotated by 180 degrees": [row[::-1] for row in found[::-1]],
        "the two characters are swapped": [row.translate({35: 46, 46: 35}) for row in found],
    }
    return next((what for what, other in turned.items() if not wrong_cells(other, wanted)), "")


def _centre(place: int, _: int) -> float:
    return place + 0.5


PLACES: dict[str, tuple[Callable[[int, int], float], Callable[[int, int], float]]] = {
    "this asks the model at points from edge to edge": 2 * (lambda i, n: i * n / max(n - 1, 1),),
    "this asks the model at the top left corner of each cell": 2 * (lambda i, _: i,),
    "this asks the model at the bottom left corner of each cell": (
        lambda i, _: i,
        lambda i, _: i + 1,
    ),
}
"""Where a picture may ask the model: how many cells from the left and from the top."""


def asking_at(  # noqa: PLR0913, PLR0917 - a picture, and where it asks
    score: Callable[[float, float], float],
    window: Window,
    columns: int,
    rows: int,
    across: Callable[[int, int], float] = _centre,
    down: Callable[[int, int], float] = _centre,
) -> list[str]:
    """Return what every cell shows; "?" if the score is too near to 0 to tell."""
    left, right, bottom, top = window
    xs = [left + (right - left) * across(place, columns) / columns for place in range(columns)]
    ys = [top - (top - bottom) * down(place, rows) / rows for place in range(rows)]
    scores = [[score(x, y) for x in xs] for y in ys]
    return ["".join("?" if abs(n) < 1e-6 else ".#"[n > 0] for n in line) for line in scores]


def asked_elsewhere(found: list[str], asked: Callable[..., list[str]]) -> str:
    """Return where else than at the centres of its cells a picture asks the model, if known."""
    fits = [where for where, place in PLACES.items() if not wrong_cells(found, asked(*place))]
    return f"{fits[0]}; ask at the centre of each cell" if len(fits) == 1 else ""


def rows_of(learner: Learner, picture: Symbol, columns: int, rows: int) -> list[str]:
    """Return a picture as strings; raise Mismatch unless it has this size."""
    reading = picture.reading("", "value")
    (answer,) = learner.read([reading])
    if not isinstance(answer, list) or not all(isinstance(row, str) for row in answer):
        why = "a picture must be a list of strings, one for each row"
        raise learner.wrong_type(reading, why, "a list of strings")
    found = [str(row) for row in answer]
    if len(found) != rows:
        raise Mismatch(
            "the picture has the wrong number of rows",
            expected=rows,
            got=len(found),
            reading=reading,
        )
    for index, row in enumerate(found):
        if len(row) != columns:
            raise Mismatch(
                f"row {index} has the wrong number of characters",
                expected=columns,
                got=len(row),
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
            "`with_points` must return a new list, and leave the rows as they are",
            expected="the same rows",
            got="changed rows",
            reading=given.reading("", "value"),
        )
    wanted = [list(row) for row in rows]
    inside: dict[tuple[int, int], str] = {}
    for point, place, label in zip(xs, places(rows, xs, window), ys):
        if place is not None:
            column, row = place
            wanted[row][column] = "O" if label > 0 else "x"
            inside[row, column] = (
                f"the point ({point[0]:g}, {point[1]:g}) with the label {label} is"
            )
    for row, signs in enumerate(wanted):
        for column, sign in enumerate(signs):
            if found[row][column] != sign:
                strays = [at for at in wrong_cells(wanted, found) if found[at[0]][at[1]] in "Ox"]
                outside = [point for point, at in zip(xs, places(rows, xs, window)) if at is None]
                noticed = (
                    _nearest(strays, (row, column))
                    if sign in "Ox"
                    else _from_outside(learner, rows, outside, window, (row, column))
                )
                raise Mismatch(
                    f"{inside.get((row, column), 'no point is')} in row {row}, column {column},"
                    f" counted from 0 at the top left{noticed}",
                    expected=sign,
                    got=found[row][column],
                    reading=picture.reading(f"[{row}][{column}]", "value"),
                )
    learner.fresh()


def _from_outside(
    learner: Learner, rows: list[str], points: list[Point], window: Window, cell: tuple[int, int]
) -> str:
    """Return which point outside the window is drawn in a cell when it is alone."""
    drawn: list[Point] = []
    with learner.experiment():
        for point in points:
            learner.fresh()
            picture = learner.make(Symbol, "with_points", rows, [point], [1], list(window))
            reading = picture.reading("[{}][{}]".format(*cell), "text")
            drawn += [point] if learner.read([reading]) == ["O"] else []
    if not drawn:
        return ""
    return f"; the point ({drawn[0][0]:g}, {drawn[0][1]:g}) is drawn there, and it is outside"


def _nearest(strays: list[tuple[int, int]], cell: tuple[int, int]) -> str:
    """Return where the mark is that should be in a cell, if there is one nearby."""
    if not strays:
        return ""
    row, column = min(strays, key=lambda at: math.dist(at, cell))
    return f"; the nearest wrong mark is in row {row}, column {column}"


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
    """Return the picture that was drawn, and its reading."""
    svg = learner.make(Symbol, "to_svg", rows, xs, ys, list(window), name="svg")
    reading = svg.reading("", "value")
    (answer,) = learner.read([svg.reading("", "text")])
    if not isinstance(answer, str):
        raise learner.wrong_type(reading, "`to_svg` must return the text", "a str")
    with learner.unseen():  # how the text gets here is not for learners
        pieces = learner.symbol(learner.expression(IN_PIECES).call("__call__", svg))
        (answer,) = learner.read([pieces.reading("", "value")])
    if (
        not isinstance(answer, list)
        or len(answer) > MAX_PIECES
        or not all(isinstance(piece, str) for piece in answer)
    ):
        raise Mismatch(
            f"`to_svg` must return one plain text of at most {MAX_PIECES * 350:,} characters",
            kind=Kind.BAD_TYPE,
            reading=reading,
        )
    try:
        picture = Picture("".join(map(str, answer)))
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
            "the two labels need two different colours, which are not those of the squares",
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
    if near and (abs(near.x - x) < NEAR) != (abs(near.y - y) < NEAR):
        right, wrong = "xy" if abs(near.x - x) < NEAR else "yx"
        drawn += f", where {right} is right and {wrong} is not"
    raise Mismatch(
        f"the point ({point[0]:g}, {point[1]:g}) must be a visible circle around"
        f" ({x:.4g}, {y:.4g}){drawn}",
        expected="a circle",
        got="no circle",
        reading=reading,
    )
