"""The hand-graded parts of a class: its rubric in `class.toml`, and tables of marks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from grader.classroom.journal import Comment
from grader.classroom.roster import csv_rows, read_csv
from grader.curriculum.select import did_you_mean
from grader.curriculum.tables import Rule, number
from grader.errors import UsageError
from grader.intake.submission import printable

MARK_COLUMNS = ["learner", "item", "points", "comment"]


@dataclass(frozen=True)
class Item:
    """One hand-graded part: `style`, its title, and its maximum points."""

    id: str
    title: str
    points: Annotated[float, Rule(partial(number, least=0.01), "a number of points, such as 5")]


@dataclass(frozen=True)
class HandMark:
    """One learner's points for an item; `points` is None if it is not marked yet."""

    item: Item
    points: float | None = None
    text: str = ""

    def __str__(self) -> str:
        head = self.item.title + ("" if self.item.title.endswith(("?", "!", ".", ":")) else ":")
        if self.points is None:
            return f"{head} not marked yet"
        said = f" ({self.text})" if self.text else ""
        return f"{head} {self.points:g} of {self.item.points:g} points{said}"


def find_item(rubric: Sequence[Item], id: str) -> Item:
    """Return the item with that id. Raise UsageError if there is none."""
    items = {item.id: item for item in rubric}
    if id not in items:
        raise UsageError(
            f"the rubric has no item {id!r}",
            f"{did_you_mean(id, [*items])}[[rubric]] in class.toml, next to the gradebook, has"
            f" {', '.join(items) or 'none'}",
        )
    return items[id]


def points_for(item: Item, text: str) -> float:
    """Return the points that somebody typed. Raise UsageError unless the item can have them."""
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= item.points:  # also true for nan
        raise UsageError(
            f"{text!r} is not between 0 and {item.points:g}, the points of {item.id!r}",
            "for more or less, add a comment: grade class comment LEARNER TEXT --points N",
        )
    return points


def read_marks(file: Path, known: Collection[str], rubric: Sequence[Item]) -> list[Comment]:
    """Return the marks in a CSV file of learners with `known` ids. Rows without points are skipped.
    Raise UsageError that names every wrong row with its line.
    """
    (_, head), *rows = [*csv_rows(read_csv(file), file)] or [(1, [])]
    heads = [name.strip().casefold() for name in head]
    if missing := [name for name in MARK_COLUMNS[:3] if name not in heads]:
        raise UsageError(
            f"{str(file)!r} has no column {missing[0]!r}",
            f"the first line must name the columns: {','.join(MARK_COLUMNS)}",
        )
    marks: dict[tuple[str, str], Comment] = {}
    wrong = []
    for line, row in rows:
        cells = dict(zip(heads, [*map(str.strip, row), *[""] * len(heads)]))
        try:
            if cells["points"]:
                mark = _read_mark(cells, known, rubric, marks)
                marks[mark.learner, mark.item] = mark
        except UsageError as error:
            wrong.append(f"  line {line}: {error.message}")
    if wrong:
        told = "\n".join([f"nothing was imported from {str(file)!r}:", *wrong])
        raise UsageError(told, "correct these rows and import it again")
    return [*marks.values()]


def _read_mark(
    cells: Mapping[str, str],
    known: Collection[str],
    rubric: Sequence[Item],
    before: Collection[tuple[str, str]],
) -> Comment:
    if (cells["learner"], cells["item"]) in before:
        raise UsageError(f"{cells['item']!r} of {cells['learner']!r} is there twice")
    if cells["learner"] not in known:
        raise UsageError(f"no learner has the id {cells['learner']!r}")
    item = find_item(rubric, cells["item"])
    return Comment(
        cells["learner"],
        printable(cells.get("comment", "")),
        points_for(item, cells["points"]),
        item.id,
    )
