"""`grade class show`: one learner's report and submissions."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.entries import Entry
from grader.classroom.policy import Policy
from grader.cli.classroom.options import (
    counted,
    find_learner,
    one_line,
    policy_options,
    tell_unexplained,
)
from grader.cli.options import course_option, examples, reveal_option, verbose_option
from grader.cli.streams import make_console, save
from grader.curriculum.model import Course
from grader.model import Visibility


@click.command(
    epilog=examples(
        "grade class show ada", "grade class show ada --html for-ada.html --reveal visible"
    )
)
@click.argument("learner")
@click.option("--html", metavar="FILE", help="Write the report as a page instead.")
@verbose_option
@reveal_option("all")
@course_option
@policy_options
def show(
    learner: str,
    book: str,
    policy: Policy,
    html: str | None,
    reveal: Visibility,
    *,
    course: Course,
    verbose: bool,
) -> None:
    """Show one learner's report and list their submissions. Use --reveal visible for a report that
    you pass on to the learner.
    """
    from grader.classroom.feedback import mark_notes, report_of
    from grader.views.html import to_html
    from grader.views.terminal import print_report

    entries, marks = counted(book, policy, course)
    who = find_learner({one.learner: one.name for one in marks}, learner)
    mark = next(one for one in marks if one.learner == who)
    console = make_console()
    mine = [one for one in entries if one.counts and one.key.learner == who]
    for number, entry in enumerate(mine, 1):
        console.print(f"submission {number}: {one_line(_summary(entry))}")
    found = report_of(mark, reveal)
    if found is None:
        for line in [*mark_notes(mark)] or ["nothing handed in"]:
            console.print(one_line(line))
        return
    if html is not None:
        save(Path(html), to_html(found, f"{course.title}: {mark.name}"))
        click.echo(f"wrote {html}; open it in a browser")
        return
    console.print()
    print_report(found, console, verbose=verbose)
    tell_unexplained([mark])


def _summary(entry: Entry) -> str:
    from grader.classroom.times import shown_time

    when = "time not known" if entry.submitted is None else shown_time(entry.submitted)
    mark = f"{entry.score}/{entry.max_score}" if entry.outcome == "graded" else entry.message
    return f"{when}{' late' if entry.late else ''}  {mark}  {entry.origin}"
