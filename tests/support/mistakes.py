"""Put a mistake into the reference solutions, and grade them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader import Report
from grader.boundary.pool import ProcessHost
from grader.curriculum.model import Course
from grader.curriculum.source import functions_in, replace_functions
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.grade import grade_submission
from grader.judge.job import Caches, Job
from support import kit_folder
from support.grading import CACHES, COURSE


def edited(folder: Path, file: str, *changes: tuple[str, str]) -> Path:
    """Copy the solutions into a folder, with texts of one file replaced. Return the folder."""
    solutions = kit_folder("solutions")
    shutil.copytree(
        solutions, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
    )
    source = (solutions / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    (folder / file).write_text(source, encoding="utf-8")
    return folder


def splice(source: str, replacement: str, deletes: Sequence[str] = ()) -> str:
    """Return the source with every function that `replacement` defines."""
    texts = functions_in(replacement.encode())
    return replace_functions(source.encode(), texts | dict.fromkeys(deletes, b"")).decode()


def graded(
    mistake: str,
    module: str,
    phase: str,
    course: Course = COURSE,
    deletes: Sequence[str] = (),
    *,
    prove: int = 0,
) -> Report:
    """Return a report on the reference solution with a mistake in it."""
    files = tuple(
        (
            File(
                file.module,
                file.shown.rpartition("/")[2],
                splice(file.source.decode(), mistake, deletes).encode(),
            )
            if file.module == module
            else replace(file, shown=file.shown.rpartition("/")[2])
        )
        for file in read_submission(kit_folder("solutions"), course.files).files
    )
    # the order of a set depends on addresses, and those on the level
    host = ProcessHost(most=0)
    caches = CACHES if course is COURSE else Caches()
    job = Job(course, Submission("mistake", files), host, caches=caches, prove=prove)
    return grade_submission(job, (course.stage(phase),))
