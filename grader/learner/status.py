"""Where the learner stands: what `grade` alone shows. Starts a worker to look for stubs, and runs
no suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from grader.boundary.transport import Host
from grader.curriculum import packages
from grader.curriculum.model import Course, Stage
from grader.intake.submission import Submission
from grader.judge.replies import Loaded
from grader.judge.session import LearnerFault, Session, WorkerLost
from grader.learner.progress import Reached


@dataclass(frozen=True)
class Place:
    """Where one phase stands: `done`, `changed` since it passed, `begun` or `open`; and what was
    reached.
    """

    stage: Stage
    state: str
    score: int
    open: str = ""


@dataclass(frozen=True)
class Status:
    """All phases, those that changed since they passed, the one that is next, and the place where
    to write, if that is known.
    """

    places: tuple[Place, ...]
    changed: tuple[Stage, ...]
    next: Stage | None
    write: str = ""
    trouble: str = ""


def find_status(
    course: Course, submission: Submission, known: Mapping[str, Reached], host: Host
) -> Status:
    """Compare what was reached with what is there now. What passed before and has changed since is
    no detour.
    """
    places = tuple(
        _place(stage, known.get(stage.id), submission.hash_of(course.modules_until(stage)))
        for stage in course.stages
    )
    changed = tuple(place.stage for place in places if place.state == "changed")
    in_order = sorted(places, key=lambda place: (place.stage.optional, place.stage.warm_up))
    following = next((place.stage for place in in_order if place.state in {"begun", "open"}), None)
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
    return Status(places, changed, following, write=_first_stub(following, loaded))


def _place(stage: Stage, reached: Reached | None, sha256: str) -> Place:
    if reached is None:
        return Place(stage, "open", 0)
    if not reached.done:
        return Place(stage, "begun", reached.score, reached.open)
    return Place(stage, "done" if reached.sha256 == sha256 else "changed", reached.score)


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


def _first_stub(stage: Stage, loaded: Loaded) -> str:
    for checkpoint in stage.checkpoints:
        for name in checkpoint.methods:
            if (found := loaded.names[name]).state == "stub":
                return f"`{name}` in {found.file}, line {found.line}"
    return ""
