"""`grade class report`: one page about the whole class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.classroom.options import (
    GradingKind,
    book_option,
    kind_options,
    open_gradebook,
    roster_option,
    rule_options,
)
from grader.cli.options import course_option, examples
from grader.cli.streams import save

if TYPE_CHECKING:
    from grader.classroom.marks import Rules
    from grader.curriculum.model import Course


@click.command(
    short_help="Write one page about the whole class.",
    epilog=examples("grade class report --output class.html"),
)
@book_option
@kind_options
@rule_options
@roster_option
@click.option(
    "--output", default="class.html", show_default=True, metavar="FILE", help="File for the page."
)
@click.option("--anonymous", is_flag=True, help="Leave out names and ids.")
@course_option
def report(
    book: str,
    kind: GradingKind,
    rules: Rules,
    roster: str | None,
    output: str,
    *,
    course: Course,
    anonymous: bool,
) -> int:
    """Write one page about the whole class: who passes what, the hardest checkpoints, the most
    common mistakes, and everybody's report.
    """
    from grader.classroom.entries import of_one_kind
    from grader.classroom.marks import refuse_unknown_times, standings
    from grader.classroom.page import class_page
    from grader.classroom.roster import read_roster

    people = read_roster(Path(roster)) if roster else []
    sections = {person.id: person.section for person in people}
    with open_gradebook(book) as gradebook:
        entries = of_one_kind(gradebook.entries(reports=True), kind.name(course))
        refuse_unknown_times(rules, [entry.timing for entry in entries])
        marks = standings(entries, gradebook.learners(), gradebook.comments(), rules)
        marks = [replace(one, section=sections.get(one.learner, "")) for one in marks]
        text = class_page(course, entries, marks, rules.keep, anonymous=anonymous)
    save(Path(output), text)
    click.echo(f"wrote {output}; open it in a browser")
    return 0
