"""Train the learner's own network in the worker, a few steps at a time.

Only plain numbers come back. The course decides what to train, and on which data. A stage with
something to show has a `show.py` with a class `Show`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from runpy import run_path
from statistics import fmean
from typing import Protocol

from grader.curriculum.imports import describe_error, files_of
from grader.curriculum.model import Course, Stage
from grader.errors import CannotRun, CourseError
from grader.judge.expectations import Reading
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.learner import Learner
from grader.judge.recorder import Recorder
from grader.judge.replies import Answer
from grader.learner.tracing.words import fault_text

COLUMNS, ROWS = 56, 40  # of the grid where the network's scores are computed
DIVERGED = "training has diverged; is the rate too large, or a gradient wrong?"
HUGE = 1e12  # a loss this large never falls again
SECONDS = 5.0  # of processor time for the steps of one request; the reference takes 0.1 s


class Show(Protocol):
    """The network and data that a stage shows. `Show(learner)` records how to make the network."""

    points: Sequence[tuple[tuple[float, float], float]]  # places, and labels above or below 0
    window: tuple[float, float, float, float]  # of the plane to show: left, right, bottom, top
    steps: int
    together: int  # steps in one request, averaged into one reported loss

    def train(self, first: int, count: int, steps: int) -> Reading:
        """Record `count` of `steps` steps, beginning with number `first`.

        Return a reading of their losses, as a `value`.
        """

    def scores(self, places: Sequence[tuple[float, float]]) -> Reading:
        """Record how to compute the network's scores at these places.

        Return a reading of one number per place, as a `value`.
        """


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


class Training:
    """A training: the loss of each step and why it ended early, or how many points are on the right
    side in the end, and the network's scores on a grid, the top row first.
    """

    def __init__(self, show: Show, recorder: Recorder, steps: int) -> None:
        self.show, self.steps = show, steps
        self.losses: list[float] = []
        self.right: int | None = None
        self.ended = ""
        self.grid: list[list[float]] = []
        self._recorder = recorder

    # --- training ---

    def run(self, tell: Callable[[Training], bool]) -> None:
        """Make the network and train it until the end, a problem, or `tell` returns False. Then
        compute its scores all over the window.

        Raise CannotRun if no step works.
        """
        self._recorder.seconds = SECONDS
        goes_on = True
        while goes_on and not self.ended and len(self.losses) < self.steps:
            self.ended = self._go()
            if self.ended and not self.losses:
                raise CannotRun(self.ended, "run grade to see which checkpoint explains it")
            goes_on = tell(self)
        self.ended = self.ended or self._paint()

    def _go(self) -> str:
        """Run the next steps in one request; the first one also makes the network.

        Return why training must stop, or "".
        """
        show, first = self.show, len(self.losses)
        count = min(show.together, self.steps - first)
        what = f"training, step {first + 1}" + (f" to {first + count}" if count > 1 else "")
        try:
            (losses,) = self._recorder.run([show.train(first, count, self.steps)])
        except (LearnerFault, WorkerLost) as met:
            return fault_text(met.fault, what).replace("`", "").rstrip(".")
        found = _numbers(losses, count)
        if found is None:
            return f"{what}: expected {count} plain number{'s' * (count > 1)} as the loss"
        for number, loss in enumerate(found, first + 1):
            if not abs(loss) < HUGE:
                return f"the loss of step {number} is {loss:.3g}: {DIVERGED}"
            self.losses.append(loss)
        return ""

    def _paint(self) -> str:
        """Score the points, and the centres of the grid's cells. Return why that fails, or ""."""
        left, right, bottom, top = self.show.window
        width, height = (right - left) / COLUMNS, (top - bottom) / ROWS
        across = [left + (column + 0.5) * width for column in range(COLUMNS)]
        rows = [[(x, top - (row + 0.5) * height) for x in across] for row in range(ROWS)]
        scores = []
        for places in ([place for place, _ in self.show.points], *rows):
            try:
                (answer,) = self._recorder.run([self.show.scores(places)])
            except (LearnerFault, WorkerLost) as met:
                return fault_text(met.fault, "asking the network").replace("`", "")
            found = _numbers(answer, len(places))
            if found is None:
                return "the network does not return a plain number for each point"
            strange = [score for score in found if not math.isfinite(score)]
            if strange:  # a loss may hide it: max(0, nan) is 0
                step = len(self.losses)
                return f"after step {step} the network gives {strange[0]}: {DIVERGED}"
            scores.append(found)
        marks, *self.grid = scores
        labels = [label for _, label in self.show.points]
        self.right = sum((mark > 0) == (label > 0) for mark, label in zip(marks, labels))
        return ""

    # --- what is visible of it ---

    @property
    def loss(self) -> float:
        """Return the mean loss of the last request."""
        return fmean(self.losses[-self.show.together :])

    @property
    def summary(self) -> str:
        """Return a sentence that sums it up."""
        steps = f"{len(self.losses)} step{'s' * (len(self.losses) > 1)}"
        first = fmean(self.losses[: self.show.together])
        loss = f"loss {first:.3g} to {self.loss:.3g} in {steps}"
        if self.right is None:
            return loss
        return f"{loss}; {self.right} of {len(self.show.points)} points on the right side"

    @property
    def placed(self) -> list[tuple[float, float, bool]]:
        """Return how far across and down the window each point in it is, from 0.0 to 1.0, and
        whether its label is positive.
        """
        left, right, bottom, top = self.show.window
        return [
            ((x - left) / (right - left), (top - y) / (top - bottom), label > 0)
            for (x, y), label in self.show.points
            if left <= x < right and bottom < y <= top
        ]

    def curve(self, most: int) -> list[float]:
        """Return the losses, averaged to a limited count of numbers."""
        count = len(self.losses)
        parts = min(most, count)
        return [
            fmean(self.losses[part * count // parts : (part + 1) * count // parts])
            for part in range(parts)
        ]


def _numbers(answer: Answer, count: int) -> list[float] | None:
    """Return the answer as `count` plain numbers, or None."""
    if not isinstance(answer, list) or len(answer) != count or {*map(type, answer)} - {int, float}:
        return None
    return [float(item) for item in answer]  # type: ignore[arg-type]
