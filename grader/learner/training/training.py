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
from grader.judge.plain_values import is_number
from grader.judge.recorder import Recorder
from grader.learner.tracing.words import fault_text
from grader.text import plural

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
        try:
            while goes_on and len(self.losses) < self.steps:
                self._go()
                goes_on = tell(self)
            self._paint()
        except CannotRun as error:
            self.ended = error.message
            if not self.losses:
                error.hint = "run grade to see which checkpoint explains it"
                raise

    def _go(self) -> None:
        """Run the next steps in one request; the first one also makes the network."""
        show, first = self.show, len(self.losses)
        count = min(show.together, self.steps - first)
        what = f"training, step {first + 1}" + (f" to {first + count}" if count > 1 else "")
        losses = self._numbers(show.train(first, count, self.steps), count, what, "loss")
        for number, loss in enumerate(losses, first + 1):
            if not abs(loss) < HUGE:
                raise CannotRun(f"the loss of step {number} is {loss:.3g}: {DIVERGED}")
            self.losses.append(loss)

    def _numbers(self, reading: Reading, count: int, what: str, noun: str) -> list[float]:
        """Return the numbers of a reading. Raise CannotRun unless it has `count` plain ones."""
        try:
            (answer,) = self._recorder.run([reading])
        except (LearnerFault, WorkerLost) as met:
            text = fault_text(met.fault, what).replace("`", "").rstrip(".")
            raise CannotRun(text) from None
        found = answer if isinstance(answer, list) else []
        if len(found) != count or not all(map(is_number, found)):
            raise CannotRun(f"{what}: expected {plural(count, 'plain number')} as the {noun}")
        return [float(item) for item in found]  # type: ignore[arg-type]

    def _paint(self) -> None:
        """Score the points, and the centres of the grid's cells."""
        left, right, bottom, top = self.show.window
        width, height = (right - left) / COLUMNS, (top - bottom) / ROWS
        across = [left + (column + 0.5) * width for column in range(COLUMNS)]
        rows = [[(x, top - (row + 0.5) * height) for x in across] for row in range(ROWS)]
        scores = []
        for places in ([place for place, _ in self.show.points], *rows):
            found = self._numbers(
                self.show.scores(places), len(places), "asking the network", "score"
            )
            strange = [score for score in found if not math.isfinite(score)]
            if strange:  # a loss may hide it: max(0, nan) is 0
                gives = f"after step {len(self.losses)} the network gives {strange[0]}"
                raise CannotRun(f"{gives}: {DIVERGED}")
            scores.append(found)
        marks, *self.grid = scores
        labels = [label for _, label in self.show.points]
        self.right = sum((mark > 0) == (label > 0) for mark, label in zip(marks, labels))

    # --- what is visible of it ---

    @property
    def loss(self) -> float:
        """Return the mean loss of the last request."""
        return fmean(self.losses[-self.show.together :])

    @property
    def summary(self) -> str:
        """Return a sentence that sums it up."""
        first = fmean(self.losses[: self.show.together])
        loss = f"loss {first:.3g} to {self.loss:.3g} in {plural(len(self.losses), 'step')}"
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
