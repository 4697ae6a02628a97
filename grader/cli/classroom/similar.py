"""`grade class similar`: submissions with code in common."""

from __future__ import annotations

import click

from grader.classroom.policy import Policy
from grader.cli.classroom.options import (
    counted,
    find_learner,
    one_line,
    open_gradebook,
    policy_options,
)
from grader.cli.options import course_option, examples
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.errors import UsageError

HINT = (
    "A match is a reason to look, not a verdict. These have code in common that the course did not"
    " give out. Names, layout and the order of functions do not count."
)


@click.command(
    short_help="Find submissions with code in common.",
    epilog=examples("grade class similar", "grade class similar ada bob"),
)
@click.argument("learners", nargs=-1)
@course_option
@policy_options
def similar(learners: tuple[str, ...], book: str, policy: Policy, *, course: Course) -> None:
    """Find groups of submissions that are the same or nearly the same. Code from the exercises, the
    solutions or most of the class does not count. With two LEARNERS, show their common lines side
    by side.
    """
    from rich.table import Column, Table
    from rich.text import Text

    from grader.classroom.entries import called
    from grader.classroom.similar import Comparison
    from grader.views.console import print_hanging

    if len(learners) not in {0, 2}:
        raise UsageError("only two learners can be compared", "grade class similar ada bob")
    _, marks = counted(book, policy, course)
    with open_gradebook(book) as gradebook:
        names, sources = gradebook.learners(), gradebook.sources()
    comparison = Comparison(course, [one.entry for one in marks if one.entry], sources)
    console = make_console()
    if learners:
        both = [find_learner(names, word) for word in learners]
        heads = (Column(one_line(called(names[one], one)), ratio=1) for one in both)
        table = Table(*heads, expand=True, show_lines=True)
        for pair in comparison.side_by_side(*map(comparison.submission_of, both)):
            table.add_row(*(Text(excerpt, overflow="fold") for excerpt in pair))
        console.print(table if table.rows else "nothing in common that the course did not give out")
        return
    groups = comparison.groups()
    print_hanging(Text(), Text(HINT if groups else "no submissions are alike"), console)
    rows = [
        *((f"{number}  ", group.members, group.how) for number, group in enumerate(groups, 1)),
        ("-  ", comparison.others, "not compared; too short, or too close to the course"),
    ]
    for sign, handed, what in rows:
        who = [
            " and ".join(called(names[id], id) for id in comparison.learners[one]) for one in handed
        ]
        if who:
            print_hanging(Text(sign), Text(one_line(f"{'; '.join(who)}: {what}")), console)
    if groups:
        click.echo("to see the lines: grade class similar LEARNER LEARNER")
