"""A class to grade: a command on it, its tasks, and entries of a gradebook."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

from grader.classroom.entries import Entry, Key, Mark
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions, Task, read_task
from grader.classroom.layout import find_handed_in
from grader.classroom.marks import Standing, standings
from grader.classroom.policy import Policy
from grader.classroom.times import EXACT
from grader.curriculum.model import DEFAULT_COURSE
from support import kit_folder
from support.command import run
from support.grading import COURSE

SOLUTION = kit_folder("solutions") / "engine.py"
HOW = GradingOptions(DEFAULT_COURSE, ("phase1",), isolation=2)


def command(*words: str | Path) -> tuple[int, str]:
    """Return the exit code of `grade class` with these words, and all that it prints."""
    done = run("class", *words)
    return done.returncode, done.stdout + done.stderr


def store(*entries: Entry) -> None:
    """Add gradings to the gradebook in the current folder."""
    with Gradebook(Path("gradebook.sqlite")) as book:
        for one in entries:
            book.add(one)


def stored() -> list[Entry]:
    """Return all gradings in the gradebook in the current folder."""
    with Gradebook(Path("gradebook.sqlite")) as book:
        return book.entries(reports=True)


def tasks(handed_in: Path) -> list[Task]:
    return [task for task in read_tasks(handed_in).values() if isinstance(task, Task)]


def read_tasks(handed_in: Path) -> dict[str, Task | Entry]:
    """Return what is to be graded, or why not, for each learner."""
    handed = find_handed_in(handed_in)[1]
    return {one.learner: read_task(one, COURSE, "course", HOW) for one in handed}


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
        outcome,
        "",
        score,
        6,
        marks,
    )


def marks_of(*entries: Entry, policy: Policy | None = None, **names: str) -> list[Standing]:
    found = {one.key.learner: one.name for one in entries} | names
    return standings(entries, found, {}, policy or Policy())


def learners_of(page: str) -> list[dict[str, Any]]:
    """Return what a page about a class holds of each learner, with the report as HTML."""
    data = page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    learners: list[dict[str, Any]] = json.loads(data)["learners"]
    for learner in learners:
        packed = base64.b64decode(learner["report"] or "")
        learner["report"] = gzip.decompress(packed).decode() if packed else ""
    return learners
