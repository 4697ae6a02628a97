"""Train the learner's own network in the worker, a few steps at a time.

Only plain numbers come back. The course decides what to train, and on which data. A stage with
something to show has a `show.py` with a class `Show`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from runpy import run_path
from typing import Protocol

from grader.curriculum.imports import describe_error, files_of
from grader.curriculum.model import Course, Stage
from grader.errors import CannotRun, CourseError
from grader.judge.expectations import Reading
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.learner import Learner
from grader.judge.recorder import Recorder
from grader.judge.replies import Answer
from grader.learner.training.picture import COLUMNS, ROWS, Picture, Window, centres, mean
from grader.model import Fault, Kind
from grader.text import safe

DIVERGED = "training has diverged; is the rate too large, or a gradient wrong?"
HUGE = 1e12  # a loss this large never falls again
SECONDS = 5.0  # of processor time for the steps of one request; the reference takes 0.1 s


class Show(Protocol):
    """The network and data that a stage shows. `Show(learner)` records how to make the network."""

    points: Sequence[tuple[tuple[float, float], float]]  # places, and labels above or below 0
    window: Window
    steps: int
    together: int  # steps in one request

    def train(self, first: int, count: int, steps: int) -> Reading:
        """Record `count` of `steps` steps, beginning with number `first`.

        Return a reading of their losses, as a `value`.
        """

    def scores(self, places: Sequence[tuple[float, float]]) -> Reading:
        """Record how to compute the network's scores at these places.

        Return a reading of one number per place, as a `value`.
        """


@dataclass
class Training:
    """The state of a training: the losses, the points on the right side, and why it ended early."""

    steps: int
    together: int
    points: int
    losses: list[float] = field(default_factory=list)
    right: int | None = None
    ended: str = ""
    lost: bool = False

    @property
    def loss(self) -> float:
        """Return the mean loss of the last request."""
        return mean(self.losses[-self.together :])


Tell = Callable[[Training], bool]


def load_show(course: Course, stage: Stage, recorder: Recorder) -> Show:
    """Return the stage's `Show`. Raise CourseError if its file does not define it."""
    try:
        with files_of(course):
            show: Show = run_path(str(stage.show))["Show"](Learner(recorder))
    except Exception as error:
        raise CourseError(
            f"{stage.show} cannot be used: {describe_error(error, course)}",
            "define a class Show in it, as docs/own-course.md describes",
        ) from error
    return show


def train(show: Show, recorder: Recorder, steps: int, tell: Tell) -> Training:
    """Make the network and train it until the end, a problem, or `tell` returns False.

    Raise CannotRun if the network cannot be made or no step works.
    """
    recorder.seconds = SECONDS
    done = Training(steps, show.together, len(show.points))
    try:
        recorder.run()
    except (LearnerFault, WorkerLost) as met:
        raise CannotRun(
            _described(met.fault, "making the network"), "grade shows what comes next"
        ) from None
    while not done.ended and len(done.losses) < steps:
        done.ended = _go(show, recorder, done)
        if done.ended and not done.losses:
            raise CannotRun(done.ended, "run grade to see which checkpoint explains it")
        if not tell(done):
            break
    return done


def _go(show: Show, recorder: Recorder, done: Training) -> str:
    """Run the next steps in one request, then score the points.

    Return why training must stop, or "".
    """
    done.right = None
    first = len(done.losses)
    count = min(show.together, done.steps - first)
    what = f"training, step {first + 1}" + (f" to {first + count}" if count > 1 else "")
    try:
        losses, scores = recorder.run(
            [show.train(first, count, done.steps), show.scores([place for place, _ in show.points])]
        )
    except (LearnerFault, WorkerLost) as met:
        # the worker is gone
        done.lost = isinstance(met, WorkerLost) or met.fault.kind in {Kind.TIMEOUT, Kind.MEMORY}
        # drops the failed step so that the network can still be evaluated
        recorder.steps = recorder.steps[:-1]
        return _described(met.fault, what)
    found = _numbers(losses, count)
    if found is None:
        return f"{what}: expected {count} plain number{'s' * (count > 1)} as the loss"
    for number, loss in enumerate(found, first + 1):
        if not abs(loss) < HUGE:
            return f"the loss of step {number} is {loss:.3g}: {DIVERGED}"
        done.losses.append(loss)
    marks = _numbers(scores, len(show.points))
    if marks is None:
        return f"{what}: the network does not return a plain number for each point"
    strange = [mark for mark in marks if not math.isfinite(mark)]
    if strange:  # a loss may hide it: max(0, nan) is 0
        return f"after step {first + count} the network gives {strange[0]}: {DIVERGED}"
    done.right = sum((mark > 0) == (label > 0) for mark, (_, label) in zip(marks, show.points))
    return ""


def paint(show: Show, recorder: Recorder, done: Training) -> Picture:
    """Compute the network's scores all over the window, if it can still be evaluated."""
    rows: list[tuple[float, ...]] = []
    try:
        for row in [] if done.lost else centres(show.window, COLUMNS, ROWS):
            (answer,) = recorder.run([show.scores(row)])
            rows.append(tuple(_numbers(answer, COLUMNS) or [math.nan]))
    except (LearnerFault, WorkerLost) as met:
        done.ended = done.ended or _described(met.fault, "asking the network")
    asked = len(rows) == ROWS and all(math.isfinite(score) for row in rows for score in row)
    return Picture(
        tuple(done.losses),
        show.together,
        show.points,
        show.window,
        tuple(rows) if asked else (),
        done.right if asked else None,
    )


def _numbers(answer: Answer, count: int) -> list[float] | None:
    """Return the answer as `count` plain numbers, or None."""
    if not isinstance(answer, list) or len(answer) != count or {*map(type, answer)} - {int, float}:
        return None
    try:
        return [float(item) for item in answer]  # type: ignore[arg-type]
    except OverflowError:  # an int too large for a float
        return None


def _described(fault: Fault, what: str) -> str:
    """Say what the learner's code did instead, and where."""
    if fault.kind is Kind.RAISED and (fault.stub or fault.type_name == "NotImplementedError"):
        return f"not written yet: {safe(fault.message or fault.stub, 200)}"
    from grader.learner.tracing.words import fault_text

    return fault_text(fault, what).replace("`", "").rstrip(".")
