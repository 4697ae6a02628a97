"""`grade list`: all phases and extras, with points and state."""

from __future__ import annotations

import click

from grader.cli.grading import status_of
from grader.cli.options import course_option, examples
from grader.cli.places import own_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course


@click.command(
    "list", short_help="List all phases with points and state.", epilog=examples("grade list")
)
@course_option
def list_(course: Course) -> None:
    """List all phases and extras: title, points, and whether they passed, were started or are still
    waiting. Nothing is graded.
    """
    from grader.learner.status_screen import print_list

    home = own_home(course)
    print_list(status_of(course, home, home).places, course, make_console())
