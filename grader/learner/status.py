"""Find out where the learner is in the course, as `grade` alone shows it.

Looking for stubs takes a worker, but no suite runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from grader.boundary.transport import Host
from grader.curriculum import packages
from grader.curriculum.model import Checkpoint, Course, Stage
from grader.intake.functions import hash_of_functions
from grader.intake.submission import Submission
from grader.judge.replies import Loaded
from grader.judge.session import LearnerFault, Session, WorkerLost
from grader.learner.progress import Reached


@dataclass(frozen=True)
class Place:
    """The state of one phase: `done`, `changed` since it passed, `begun` or `open`.

    It includes the score and the checkpoints that passed when the phase was last graded.
    """

    stage: Stage
    state: str
    score: int
    passed: tuple[str, ...] = ()


class Spot(NamedTuple):
    """Where a function is."""

    name: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"`{self.name}` in {self.file}, line {self.line}"


@dataclass(frozen=True)
class Status:
    """The learner's place in the course: all phases, those that changed, and the next one.

    `fix` is the next phase's checkpoint that is written but does not pass, and `at` the function to
    open, with its file and line. `write` is the next stub. `trouble` says why the file cannot be
    examined.
    """

    places: tuple[Place, ...]
    changed: tuple[Stage, ...]
    next: Stage | None
    write: Spot | None = None
    trouble: str = ""
    fix: str = ""
    at: Spot | None = None


def find_places(
    course: Course, submission: Submission, known: Mapping[str, Reached]
) -> tuple[Place, ...]:
    """Compare what was reached with the functions as they are now."""
    return tuple(_place(course, stage, known.get(stage.id), submission) for stage in course.stages)


def next_stage(places: Sequence[Place]) -> Stage | None:
    """Return the first phase that never passed, optional ones last, or None.

    A phase that changed since it passed does not count.
    """
    in_order = sorted(places, key=lambda place: (place.stage.optional, place.stage.warm_up))
    return next((place.stage for place in in_order if place.state in {"begun", "open"}), None)


def find_status(
    course: Course, submission: Submission, known: Mapping[str, Reached], host: Host
) -> Status:
    """Find the next phase, and where to continue in the file."""
    places = find_places(course, submission, known)
    changed = tuple(place.stage for place in places if place.state == "changed")
    following = next_stage(places)
    if following is None or not submission.has(following.module):
        return Status(places, changed, following)
    if missing := packages.absent(following.packages):
        return Status(places, changed, following, trouble=packages.advice(missing))
    try:
        loaded = _look(course, submission, following, host)
    except (LearnerFault, WorkerLost) as failure:
        fault = failure.fault
        line = f", {fault.frames[-1].place}" if fault.frames else ""
        told = (
            f"{fault.type_name}: {fault.message}"
            if fault.type_name
            else fault.message or "it does not end"
        )
        return Status(places, changed, following, trouble=f"{following.file}{line}: {told}")
    place = next(place for place in places if place.stage is following)
    fix = _written_and_open(place, loaded)
    return Status(
        places,
        changed,
        following,
        write=None if fix else _first_stub(following, loaded),
        fix=fix.id if fix else "",
        at=_where(_to_blame(fix, place), loaded) if fix and fix.methods else None,
    )


def _place(course: Course, stage: Stage, reached: Reached | None, submission: Submission) -> Place:
    if reached is None:
        return Place(stage, "open", 0)
    if not reached.done:
        return Place(stage, "begun", reached.score, reached.passed)
    now = hash_of_functions(submission, course, stage)
    return Place(stage, "done" if reached.code == now else "changed", reached.score)


def _look(course: Course, submission: Submission, stage: Stage, host: Host) -> Loaded:
    located = packages.locate(stage.packages)
    session = Session(
        partial(host.worker, packages.readable(located)),
        submission,
        stage.module,
        course.names(stage.file),
        course.modules,
        packages=located,
    )
    try:
        return session.load()
    finally:
        session.close()


def _written_and_open(place: Place, loaded: Loaded) -> Checkpoint | None:
    """Return the first checkpoint that did not pass although none of its functions is a stub."""
    if place.state != "begun":
        return None
    return next(
        (
            checkpoint
            for checkpoint in place.stage.checkpoints
            if checkpoint.id not in place.passed
            and not checkpoint.bonus
            and all(loaded.names[name].state in {"present", "empty"} for name in checkpoint.methods)
        ),
        None,
    )


def _to_blame(open_: Checkpoint, place: Place) -> str:
    """Return the checkpoint's first function that no passed checkpoint covers."""
    right = {
        name
        for checkpoint in place.stage.checkpoints
        if checkpoint.id in place.passed
        for name in checkpoint.methods
    }
    return next((name for name in open_.methods if name not in right), open_.methods[0])


def _first_stub(stage: Stage, loaded: Loaded) -> Spot | None:
    for checkpoint in stage.checkpoints:
        for name in checkpoint.methods:
            if loaded.names[name].state == "stub":
                return _where(name, loaded)
    return None


def _where(name: str, loaded: Loaded) -> Spot:
    found = loaded.names[name]
    return Spot(name, found.file, found.line)
