"""`grade class export`: everybody's mark, as a file for a course system."""

from __future__ import annotations

from pathlib import Path

import click

from grader.classroom.policy import Policy
from grader.cli.classroom.options import (
    counted,
    policy_options,
    roster_of,
    roster_option,
    warn,
    warn_of_blanks,
)
from grader.cli.options import course_option, examples
from grader.cli.streams import save
from grader.curriculum.model import Course


@click.command(
    short_help="Export the marks to Canvas, Moodle or a CSV file.",
    epilog=examples(
        "grade class export --to canvas --roster roster.csv",
        "grade class export --to csv --output marks.csv",
    ),
)
@click.option(
    "--to",
    "system",
    type=click.Choice(["canvas", "moodle", "csv"]),
    required=True,
    help="The system that reads the file; csv has all points.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="File for the marks (default: canvas.csv, moodle.csv or grades.csv).",
)
@roster_option
@click.option("--by-phase", is_flag=True, help="Add a column for each phase to the Canvas export.")
@click.option(
    "--assignment",
    metavar="NAME",
    help="Name of the column in the Canvas export (default: the roster's only assignment).",
)
@course_option
@policy_options
def export(
    system: str,
    output: str | None,
    assignment: str | None,
    book: str,
    policy: Policy,
    course: Course,
    *,
    by_phase: bool,
) -> int:
    """Export everybody's mark. Canvas and Moodle can import the file; the roster is their own grade
    export.
    """
    from grader.classroom.exports import export as content_of
    from grader.classroom.exports import only_assignment
    from grader.classroom.grading import ISOLATE
    from grader.classroom.roster import read_csv
    from grader.classroom.worksheet import find_worksheet
    from grader.judge.grade import ISOLATED

    people = roster_of(policy)
    sheet = find_worksheet(read_csv(Path(policy.roster))) if policy.roster else None
    _, marks = counted(book, policy, course)
    if any(one.entry and one.entry.key.phases.endswith(ISOLATE) for one in marks):
        click.echo(ISOLATED)
    title = assignment or only_assignment(people) or course.title
    file = Path(output or {"csv": "grades.csv"}.get(system, f"{system}.csv"))
    save(file, content_of(system, marks, title, by_phase=by_phase, worksheet=sheet))
    there = [one for one in marks if one.points is not None]
    click.echo(f"wrote {file}: {len(there)} of {len(marks)} learners have a mark")
    known = {person.id for person in people}
    warn("not on the roster", [one.name for one in there if known and one.learner not in known])
    return warn_of_blanks(marks)
