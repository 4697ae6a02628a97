"""A class to grade: a command on it, its tasks, and entries of a gradebook."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from grader.classroom.entries import Entry, Key, Mark
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions, Task, read_task
from grader.classroom.layout import find_handed_in
from grader.classroom.marks import Rules, Standing, standings
from grader.classroom.times import EXACT
from grader.cli.group import commands
from grader.curriculum.load import load_course
from grader.curriculum.model import DEFAULT_COURSE
from support import kit_folder

COURSE = load_course()
SOLUTION = kit_folder("solutions") / "engine.py"
HOW = GradingOptions(str(DEFAULT_COURSE), ("phase1",), isolation=2)


def command(*args: str) -> Result:
    return CliRunner().invoke(commands, ["class", *args], standalone_mode=False)


def store(*entries: Entry) -> None:
    """Add gradings to the gradebook in the current folder."""
    with Gradebook(Path("gradebook.sqlite")) as book:
        for one in entries:
            book.add(one)


def stored() -> list[Entry]:
    """Return all gradings in the gradebook in the current folder."""
    with Gradebook(Path("gradebook.sqlite")) as book:
        return book.entries(reports=True)


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n", encoding="utf-8")


def tasks(handed_in: Path) -> list[Task]:
    read = (read_task(one, COURSE, "course", HOW) for one in find_handed_in(handed_in)[1])
    return [task for task in read if isinstance(task, Task)]


def entry(
    learner: str = "ada",
    sha256: str = "a",
    score: int = 3,
    received: float = 1.0,
    outcome: str = "graded",
) -> Entry:
    marks = (
        Mark("phase1.data", "passed", 1, 1, False, "", "It works"),
        Mark("phase1.grad", "failed", 0, 1, False, "phase1.x", "`grad` is 0"),
    )
    return Entry(
        Key(learner, sha256, "course", "phase1", 20),
        learner.title(),
        "in/" + learner,
        received,
        EXACT,
        0.1,
        outcome,
        "",
        score,
        6,
        marks,
        "{}",
        5.0,
    )


def marks_of(*entries: Entry, rules: Rules | None = None, **names: str) -> list[Standing]:
    found = {one.key.learner: one.name for one in entries} | names
    return standings(entries, found, {}, rules or Rules())


def data_of(page: str) -> dict[str, object]:
    """Return the data in a page about a class."""
    found: dict[str, object] = json.loads(
        page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    )
    return found
