"""`grade list`: all phases and extras, with points and state."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, examples
from grader.cli.places import own_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.learner.status import Place


@click.command(
    "list", short_help="List all phases with points and state.", epilog=examples("grade list")
)
@course_option
def list_(course: Course) -> None:
    """List all phases and extras: title, points, and whether they passed, were started or are still
    waiting. Nothing is graded.
    """
    from grader.learner.status_screen import print_list

    print_list(places_of(course, own_home(course)), course, make_console())


def places_of(course: Course, home: Path) -> tuple[Place, ...]:
    """Return the state of each phase, without grading it."""
    from grader.cli.hosting import start_reader
    from grader.intake.read import read_submission
    from grader.learner.progress import load
    from grader.learner.status import find_places

    submission = read_submission(home, course.files, start_reader)
    return find_places(course, submission, load(home).phases)
