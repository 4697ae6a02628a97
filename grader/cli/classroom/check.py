"""`grade class check`: look at a download and a roster before grading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.classroom.options import (
    grading_options,
    one_line,
    policy_options,
    roster_option,
    times_option,
    warn_of_strangers,
)
from grader.cli.options import course_option, examples
from grader.cli.streams import make_console

if TYPE_CHECKING:
    from grader.classroom.policy import Policy
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
    roster: str | None,
    times: str | None,
    assignment: str | None,
    book: str,
    policy: Policy,
    course: Course,
) -> int:
    """Say what is in SUBMISSIONS, who is missing, which times are trusted, and what will not be
    graded and why. Nothing is run or stored.
    """
    from grader.classroom.check import Download, findings
    from grader.classroom.owners import Owners
    from grader.classroom.policy import FILE
    from grader.classroom.roster import read_roster, read_times
    from grader.cli.classroom.progress import handed_in
    from grader.curriculum.packages import require

    people = read_roster(Path(roster)) if roster else []
    owners = Owners(people, read_times(Path(times)) if times else [])
    require(policy.packages)
    folder, console = Path(submissions), make_console()
    layout, found = handed_in(folder, assignment, course)
    download = Download(folder, layout, found, owners.match(found))
    for line in findings(download, owners, policy, course, grading_options(course, policy)):
        console.print(one_line(line))
    ids = {*(one.learner for one in download.matched), *(person.id for person in people)}
    warn_of_strangers(policy, ids)
    if not (file := Path(book).with_name(FILE)).exists():
        click.echo(f"there is no {file}, the policy of the class; to write it: grade class init")
    return 0
