"""Evaluate the expression of a question with the learner's own engine."""

from __future__ import annotations

from pathlib import Path

from grader.boundary.transport import Host
from grader.curriculum.model import Course
from grader.errors import SubmissionError
from grader.judge.failures import LearnerFault, WorkerLost
from grader.learner.own_code import session_at
from grader.learner.quiz.answering import Asked
from grader.learner.tracing.words import fault_text


def compute(asked: Asked, course: Course, home: Path, host: Host) -> float | str:
    """Return the number that the learner's engine gives, or the reason why it gives none."""
    file = course.engine
    try:
        with session_at(course, home, file, host) as session:
            (answer,) = session.run(asked.script, fresh=True)
    except SubmissionError as error:
        return error.message
    except (LearnerFault, WorkerLost) as met:
        return fault_text(met.fault, file)
    if isinstance(answer, float | int):
        return answer
    return f"`{asked.code.splitlines()[-1].partition('  #')[0]}` is not a number"
