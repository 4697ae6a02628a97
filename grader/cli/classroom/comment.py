"""`grade class comment`: change a mark by hand, and say why."""

from __future__ import annotations

import click

from grader.cli.classroom.options import book_option, find_learner, one_line, open_gradebook
from grader.cli.options import examples
from grader.errors import UsageError


@click.command(
    short_help="Comment on a learner's mark, and change it by hand.",
    epilog=examples('grade class comment ada "explained it in person" --points +2'),
)
@click.argument("learner")
@click.argument("text")
@click.option("--points", type=float, default=0.0, metavar="N", help="Points to add: +2 or -1.5.")
@book_option
def comment(learner: str, text: str, points: float, book: str) -> int:
    """Add TEXT to the mark of LEARNER, and points if you like. Exports, pages and feedback show
    both.
    """
    from grader.classroom.entries import Comment
    from grader.classroom.policy import MOST_POINTS
    from grader.intake.submission import printable

    if not abs(points) <= MOST_POINTS:  # also true for nan
        raise UsageError(
            f"--points {points:g} is not between -{MOST_POINTS:,} and {MOST_POINTS:,}",
            "for example: --points +2",
        )
    with open_gradebook(book) as gradebook:
        names = gradebook.learners()
        who = find_learner(names, learner)
        gradebook.add_comment(Comment(who, printable(text), points))
    changed = f"; {points:+g} points" if points else ""
    click.echo(one_line(f"commented on {names[who]} ({who}){changed}"))
    return 0
