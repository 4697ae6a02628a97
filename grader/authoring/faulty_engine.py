"""Put a faulty engine together, as a learner would hand it in."""

from __future__ import annotations

from dataclasses import replace

from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Stage
from grader.intake.read import read_submission
from grader.intake.submission import File


def faulty_files(course: Course, stage: Stage, faulty: Faulty) -> tuple[File, ...]:
    """Return the solutions, with the mistake in this stage's file."""
    files = read_submission(course.solutions, course.files).files
    return tuple(
        replace(file, source=faulty.engine(file.source)) if file.module == stage.module else file
        for file in files
    )
