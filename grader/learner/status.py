"""Find out where the learner is in the course, for `grade` without arguments.

Nothing of the learner's code runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from grader.curriculum import packages
from grader.curriculum.model import Checkpoint, Course, Stage
from grader.errors import SubmissionError
from grader.intake.functions import hash_of_functions
from grader.intake.submission import File, Submission
from grader.learner.editing import functions_in, is_stub
from grader.learner.progress import Reached, stages_ahead


@dataclass(frozen=True)
class Place:
    """The state of one phase: `done`, `changed` since it passed, `begun` or `open`.

    It includes the score and the checkpoints that passed when the phase was last graded, and
    whether its functions were edited since.
    """

    stage: Stage
    state: str
    score: int
    passed: tuple[str, ...] = ()
    is_edited: bool = False


class Spot(NamedTuple):
    """Where a function is."""

    name: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"`{self.name}` in {self.file}, line {self.line}"


@dataclass(frozen=True)
class Status:
    """The learner's place in the course: all phases, and the next one.

    `fix` is the next phase's checkpoint with code that does not pass, and `at` the function to
    open, with its file and line. `write` is the next stub. `trouble` says why the file cannot be
    examined.
    """

    places: tuple[Place, ...]
    next: Stage | None
    write: Spot | None = None
    trouble: str = ""
    fix: str = ""
    at: Spot | None = None


def find_places(
    course: Course, submission: Submission, known: Mapping[str, Reached]
) -> tuple[Place, ...]:
    """Compare the progress with the current functions."""
    return tuple(_place(course, stage, known.get(stage.id), submission) for stage in course.stages)


def find_status(
    course: Course, submission: Submission, known: Mapping[str, Reached], stage: Stage | None = None
) -> Status:
    """Find the next phase, unless a `stage` is given, and where to continue in its file."""
    places = find_places(course, submission, known)
    following = stage or next(iter(stages_ahead(course.stages, known)), None)
    status = Status(places, following)
    if following is None or submission.is_notebook:
        return status
    file = submission.module(following.module)
    if file is None or not file.source.strip():
        lacks = f"{following.file} is {'missing' if file is None else 'empty'}"
        remedy = "grade init FOLDER writes fresh copies of all files"
        return replace(status, trouble=f"{lacks}; {remedy}")
    if missing := packages.absent(following.packages):
        return replace(status, trouble=packages.advice(missing))
    try:
        functions = functions_in(file.source, file.shown)
    except SubmissionError as error:
        return replace(status, trouble=error.message)
    stubs = {name for name, text in functions.items() if is_stub(text)}
    here = next(place for place in places if place.stage is following)
    if (fix := _written_and_open(here, functions.keys() - stubs)) is not None:
        at = _spot(_to_blame(fix, here), file, functions) if fix.methods else None
        return replace(status, fix=fix.id, at=at)
    write = next((name for name in following.asked if name in stubs), None)
    return replace(status, write=_spot(write, file, functions) if write else None)


def _place(course: Course, stage: Stage, reached: Reached | None, submission: Submission) -> Place:
    if reached is None:
        return Place(stage, "open", 0)
    is_edited = reached.code != hash_of_functions(submission, course, stage)
    if not reached.done:
        return Place(stage, "begun", reached.score, reached.passed, is_edited)
    return Place(stage, "changed" if is_edited else "done", reached.score)


def _written_and_open(place: Place, written: Collection[str]) -> Checkpoint | None:
    """Return the first checkpoint that did not pass although its functions are `written`.

    It is not known if a function was edited since.
    """
    is_known = place.state == "begun" and not place.is_edited
    for checkpoint in place.stage.checkpoints if is_known else ():
        is_open = checkpoint.id not in place.passed and not checkpoint.bonus
        if is_open and {*checkpoint.methods} <= {*written}:
            return checkpoint
    return None


def _to_blame(open_: Checkpoint, place: Place) -> str:
    """Return the checkpoint's first function that no passed checkpoint covers."""
    passed = (each for each in place.stage.checkpoints if each.id in place.passed)
    right = {name for checkpoint in passed for name in checkpoint.methods}
    return next((name for name in open_.methods if name not in right), open_.methods[0])


def _spot(name: str, file: File, functions: Mapping[str, bytes]) -> Spot:
    return Spot(name, file.shown, file.source.partition(functions[name])[0].count(b"\n") + 1)
