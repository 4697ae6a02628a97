"""Find out where the learner is in the course, for `grade` without arguments.

Nothing of the learner's code runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.curriculum import packages
from grader.curriculum.model import Course, Stage
from grader.errors import SubmissionError
from grader.intake.functions import hash_of_functions
from grader.intake.submission import Submission
from grader.learner.editing import functions_in, is_stub
from grader.learner.hints import topic_in
from grader.learner.progress import Progress, Reached, stages_ahead
from grader.model import Frame
from grader.text import safe


@dataclass(frozen=True)
class Place:
    """The state of one phase: `done`, `changed` since it passed, `begun` or `open`.

    It includes the score of the last grading, and whether its functions were edited since.
    """

    stage: Stage
    state: str
    score: int
    is_edited: bool = False


@dataclass(frozen=True)
class Status:
    """The learner's place in the course: all phases, and the next one.

    `at` is the function to open: the next stub or, if `fix` names a checkpoint that does not pass,
    the one to correct. `trouble` says why the file cannot be examined.
    """

    places: tuple[Place, ...]
    next: Stage | None
    at: Frame | None = None
    fix: str = ""
    trouble: str = ""

    @property
    def spot(self) -> str:
        """Return the function to open and its line; an empty string if there is none."""
        return (
            safe(f"`{self.at.function}` in {self.at.file}, line {self.at.line}") if self.at else ""
        )


def find_status(
    course: Course, submission: Submission, known: Progress, stage: Stage | None = None
) -> Status:
    """Compare the progress with the current functions. Find the next phase, unless a `stage` is
    given, and where to continue in its file.
    """
    places = tuple(
        _place(course, stage, known.phases.get(stage.id), submission) for stage in course.stages
    )
    following = stage or next(iter(stages_ahead(course.stages, known.phases)), None)
    status = Status(places, following)
    if following is None or submission.is_notebook:
        return status
    if missing := packages.absent(following.packages):
        return replace(status, trouble=packages.advice(missing))
    here = next(place for place in places if place.stage is following)
    is_current = here.state == "begun" and not here.is_edited
    if not is_current:
        known = replace(known, failures={})
    topic = topic_in(course, submission, known, [following])
    file = submission.module(topic.stage.module)
    if file is None or not file.source.strip():
        lacks = f"{topic.stage.file} is {'missing' if file is None else 'empty'}"
        return replace(
            status, trouble=f"{lacks}; grade init FOLDER writes fresh copies of all files"
        )
    try:
        text = functions_in(file.source, file.shown).get(topic.function)
    except SubmissionError as error:
        return replace(status, trouble=error.message)
    if text is not None:
        line = file.source.partition(text)[0].count(b"\n") + 1
        status = replace(status, at=Frame(file.shown, line, topic.function))
        if is_stub(text):
            return status
    return replace(status, fix=topic.checkpoint) if is_current else replace(status, at=None)


def _place(course: Course, stage: Stage, reached: Reached | None, submission: Submission) -> Place:
    if reached is None:
        return Place(stage, "open", 0)
    is_edited = reached.code != hash_of_functions(submission, course, stage)
    if not reached.done:
        return Place(stage, "begun", reached.score, is_edited)
    return Place(stage, "changed" if is_edited else "done", reached.score)
