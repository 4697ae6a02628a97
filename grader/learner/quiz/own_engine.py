"""Evaluate the expression of a question with the learner's own engine."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from grader.boundary.transport import Host
from grader.curriculum.model import Course
from grader.errors import SubmissionError
from grader.intake.read import read_submission
from grader.judge.session import LearnerFault, Session, WorkerLost
from grader.learner.quiz.answering import Asked
from grader.learner.tracing.words import fault_text


def compute(asked: Asked, course: Course, home: Path, host: Host) -> float | str:
    """Return the number that the learner's engine gives, or the reason why it gives none."""
    stage = course.stage(asked.question.phase)
    module = course.graph.module if course.graph else stage.module
    try:
        submission = read_submission(home, course.files, host.reader)
    except SubmissionError as error:
        return error.message
    names = course.names(f"{module}.py")
    with closing(Session(host.worker, submission, module, names, course.modules)) as session:
        try:
            (answer,) = session.run(asked.script, fresh=True)
        except (LearnerFault, WorkerLost) as met:
            return fault_text(met.fault, f"{module}.py")
    if isinstance(answer, float | int):
        return answer
    return f"`{asked.code.splitlines()[-1].partition('  #')[0]}` is not a number"
