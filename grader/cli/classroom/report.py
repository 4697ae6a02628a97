"""`grade class report`: one page about the whole class."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.policy import Policy
from grader.cli.classroom.options import (
    counted,
    open_gradebook,
    policy_options,
    roster_option,
    tell_unexplained,
)
from grader.cli.options import course_option, examples
from grader.cli.streams import save
from grader.curriculum.model import Course


@click.command(
    short_help="Write one page about the whole class.",
    epilog=examples("grade class report --output class.html"),
)
@roster_option
@click.option(
    "--output", default="class.html", show_default=True, metavar="FILE", help="File for the page."
)
@click.option("--anonymous", is_flag=True, help="Leave out names and ids.")
@course_option
@policy_options
def report(book: str, policy: Policy, output: str, *, course: Course, anonymous: bool) -> None:
    """Write one page about the whole class: who passes what, the hardest checkpoints, the most
    common mistakes, and everybody's report.
    """
    from grader.classroom.page import class_page
    from grader.classroom.similar import Comparison

    entries, marks = counted(book, policy, course)
    with open_gradebook(book) as gradebook:
        journal, sources = gradebook.journal(), gradebook.sources()
    alike = Comparison(course, [one.entry for one in marks if one.entry], sources)
    text = class_page(
        course, entries, marks, policy.keep, journal=journal, alike=alike, anonymous=anonymous
    )
    save(Path(output), text)
    click.echo(f"wrote {output}; open it in a browser")
    tell_unexplained(marks)
