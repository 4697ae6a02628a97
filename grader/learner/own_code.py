"""Run the learner's own code: a session with one file of the course."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from grader.boundary.transport import Host
from grader.curriculum.model import Course
from grader.errors import SubmissionError
from grader.intake.read import read_submission
from grader.judge.session import Session


@contextmanager
def session_at(
    course: Course, where: str | os.PathLike[str], file: str, host: Host
) -> Iterator[Session]:
    """Yield a session with a file of the course, as read from a folder or a file, and the installed
    packages that it needs. Raise SubmissionError if it is not there.
    """
    submission = read_submission(where, course.files, host.worker)
    if not submission.has(Path(file).stem):
        raise SubmissionError(
            f"there is no {file} in {where}", "name the folder with your code: --at PATH"
        )
    with closing(
        Session(
            host.worker,
            submission,
            Path(file).stem,
            course.names(file),
            course.modules,
            provided=[
                name for stage in course.stages if stage.file == file for name in stage.packages
            ],
        )
    ) as session:
        yield session
