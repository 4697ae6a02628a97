"""`grade class show`: one learner's report and submissions."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.classroom.options import (
    find_learner,
    kind_of,
    one_line,
    open_gradebook,
    policy_options,
    tell_unexplained,
)
from grader.cli.options import course_option, examples, reveal_option, verbose_option
from grader.cli.streams import make_console, save

if TYPE_CHECKING:
    from grader.classroom.entries import Entry
    from grader.classroom.policy import Policy
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
) -> int:
    """Show one learner's report and list their submissions. Use --reveal visible for a report that
    you pass on to the learner.
    """
    from grader.classroom.entries import of_one_kind
    from grader.classroom.feedback import mark_notes, report_of
    from grader.classroom.journal import in_effect
    from grader.classroom.marks import standings
    from grader.views.html import to_html
    from grader.views.terminal import print_report

    with open_gradebook(book) as gradebook:
        names = gradebook.learners()
        who = find_learner(names, learner)
        entries = [one for one in gradebook.entries(who, reports=True) if one.counts]
        entries = of_one_kind(entries, kind_of(policy, course))
        kinds = {one.key.phases for one in entries}
        others = [one for one in gradebook.entries() if one.key.learner != who]
        alike = [one for one in others if not kinds or one.key.phases in kinds]  # the same maximum
        changes = in_effect(gradebook.journal())
        (mark,) = standings([*entries, *alike], {who: names[who]}, changes, policy)
    console = make_console()
    for number, entry in enumerate(entries, 1):
        console.print(f"submission {number}: {one_line(_summary(entry))}")
    found = report_of(mark, reveal)
    if found is None:
        for line in [*mark_notes(mark)] or ["nothing handed in"]:
            console.print(one_line(line))
        return 0
    if html is not None:
        save(Path(html), to_html(found, f"{course.title}: {mark.name}"))
        click.echo(f"wrote {html}; open it in a browser")
        return 0
    console.print()
    print_report(found, console, verbose=verbose)
    tell_unexplained([mark])
    return 0


def _summary(entry: Entry) -> str:
    when = "time not known"
    if entry.submitted is not None:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.submitted))
    mark = f"{entry.score}/{entry.max_score}" if entry.outcome == "graded" else entry.message
    return f"{when}{' late' if entry.late else ''}  {mark}  {entry.origin}"
