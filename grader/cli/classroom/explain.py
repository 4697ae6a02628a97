"""`grade class explain`: search for changes that fix the failures of a class."""

from __future__ import annotations

from dataclasses import replace

import click

from grader.classroom.policy import Policy
from grader.cli.classroom.options import (
    grading_options,
    jobs_option,
    open_gradebook,
    policy_options,
    roster_option,
    seed_option,
)
from grader.cli.options import course_option, examples, isolation_options, suites_option
from grader.curriculum.model import Course


@click.command(
    short_help="Explain failures by changes that fix them.",
    epilog=examples("grade class explain handed-in --roster roster.csv"),
)
@click.argument("submissions")
@roster_option
@jobs_option
@click.option("--assignment", metavar="NAME", help="Assignment to explain, in nbgrader's folder.")
@seed_option
@isolation_options
@suites_option
@course_option
@policy_options
def explain(
    submissions: str,
    book: str,
    jobs: int,
    assignment: str | None,
    seed: int | None,
    isolation: int,
    required: int,
    policy: Policy,
    course: Course,
) -> int:
    """Search the graded SUBMISSIONS for small changes that make the first failure of each phase
    pass, and keep them in the gradebook, for reports and feedback. Marks do not change.

    Use the same options as for grading. If it is stopped, run it again to continue.
    """
    from grader.classroom.round import Round
    from grader.cli.classroom.progress import find_download, grade_folder

    how = replace(
        grading_options(course, policy, seed, isolation, required), prove=len(course.stages)
    )
    with open_gradebook(book) as gradebook:
        round_ = Round(course, how, gradebook)
        download = find_download(submissions, assignment, course, policy, times=None)
        return grade_folder(download, round_, jobs)
