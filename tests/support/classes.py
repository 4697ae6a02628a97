"""Make gradebooks of classes that were never graded, for the page about a class."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.classroom.entries import Entry, Key, Mark
from grader.classroom.times import EXACT, LATE
from grader.curriculum.model import Course

FIRST = (
    "Ada",
    "Bohdan",
    "Chiamaka",
    "Dagný",
    "Emre",
    "Fatima",
    "Gus",
    "Hanako",
    "Ines",
    "Jürgen",
    "Kwame",
    "Līga",
    "Minh",
    "Noor",
    "Olga",
    "Pedro",
)
LAST = (
    "Lovelace",
    "Kowalczyk-Wiśniewska",
    "Okafor",
    "Li",
    "Çelik",
    "Haddad",
    "van der Berg",
    "Sato",
    "O'Neill",
    "Müller",
    "Mensah",
    "Nguyễn",
)
DAY = 86400.0
BEGIN = 1_790_000_000.0


def make_class(
    course: Course, count: int, reports: Sequence[str], seed: int = 1
) -> tuple[list[Entry], dict[str, str]]:
    """Return the entries and names of learners on their way through the course.

    Each has an id, a name and up to five submissions; one in twenty has handed in nothing.
    """
    draw = random.Random(seed)
    names = {
        f"s{number:04}": f"{draw.choice(FIRST)} {draw.choice(LAST)}" for number in range(count)
    }
    entries = [
        entry
        for learner in names
        if draw.random() > 0.05 or count < 20
        for entry in _submissions(course, learner, names[learner], reports, draw)
    ]
    return entries, names


def _submissions(
    course: Course, learner: str, name: str, reports: Sequence[str], draw: random.Random
) -> Iterator[Entry]:
    able, reached = draw.betavariate(4, 1), 0.0
    for number in range(draw.choice((1, 1, 2, 3, 5))):
        reached = min(1.0, reached + draw.random())
        marks = tuple(_marks(course, reached, able, draw))
        entry = Entry(
            Key(learner, f"{learner}-{number}", "course", "all", 20),
            name,
            f"handed-in/{name}/{learner}",
            BEGIN + number * DAY,
            LATE if draw.random() < 0.1 else EXACT,
            "graded",
            score=sum(mark.earned for mark in marks),
            max_score=sum(mark.points for mark in marks),
            marks=marks,
            report=draw.choice(reports),
        )
        none = "no engine.py in it: hand in that file"
        refused = replace(entry, outcome="refused", message=none, marks=(), report="", score=0)
        yield entry if draw.random() > 0.02 else refused


def _marks(course: Course, reached: float, able: float, draw: random.Random) -> Iterator[Mark]:
    for place, checkpoint in enumerate(course.checkpoints):
        verdict = "passed" if draw.random() < able else draw.choice(("failed", "failed", "blocked"))
        if place / len(course.checkpoints) > reached:
            verdict = "not_started"
        stage = course.stage_of(checkpoint.id)
        suspects = [faulty.id for faulty in stage.faulty[:3]] if verdict == "failed" else []
        yield Mark(
            checkpoint.id,
            verdict,
            checkpoint.points if verdict == "passed" else 0,
            checkpoint.points,
            checkpoint.bonus,
            draw.choice([*suspects, ""]),
            stage.titles[checkpoint.id],
            checkpoint.visibility.value,
        )
