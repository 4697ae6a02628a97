"""`grade class check`: look at a download and a roster before grading."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.policy import Policy
from grader.cli.classroom.options import (
    STRANGERS,
    grading_options,
    one_line,
    policy_options,
    roster_option,
    times_option,
    warn,
)
from grader.cli.options import course_option, examples
from grader.cli.streams import make_console
from grader.curriculum.model import Course


@click.command(
    short_help="Look at a folder of submissions before grading it.",
    epilog=examples("grade class check handed-in --roster roster.csv"),
)
@click.argument("submissions")
@roster_option
@times_option
@click.option("--assignment", metavar="NAME", help="Assignment to check, in nbgrader's folder.")
@course_option
@policy_options
def check(
    submissions: str,
    times: str | None,
    assignment: str | None,
    book: str,
    policy: Policy,
    course: Course,
) -> None:
    """Say what is in SUBMISSIONS, who is missing, which times are trusted, and what will not be
    graded and why. Nothing is run or stored.
    """
    from grader.classroom.check import findings
    from grader.classroom.policy import FILE
    from grader.cli.classroom.progress import find_download
    from grader.curriculum.packages import require

    download = find_download(submissions, assignment, course, policy, times)
    console = make_console()
    require(policy.packages)
    for line in findings(download, policy, course, grading_options(course, policy)):
        console.print(one_line(line))
    known = {*(one.learner for one in download.handed), *(p.id for p in download.people)}
    warn(STRANGERS, policy.extensions.keys() - known)
    if not (file := Path(book).with_name(FILE)).exists():
        click.echo(f"there is no {file}, the policy of the class; to write it: grade class init")
