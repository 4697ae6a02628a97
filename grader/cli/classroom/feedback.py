"""`grade class feedback`: everybody's report, to hand back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.classroom.options import (
    Kind,
    book_option,
    kind_options,
    marks_of,
    open_gradebook,
    rule_options,
    warn_of_blanks,
)
from grader.cli.options import course_option, examples, reveal_option, save

if TYPE_CHECKING:
    from grader.classroom.marks import Rules
    from grader.curriculum.model import Course
    from grader.model import Visibility


@click.command(
    short_help="Write everybody's report into a folder.",
    epilog=examples('grade class feedback for-learners --due "2026-11-30 23:59"'),
)
@click.argument("folder")
@book_option
@kind_options
@rule_options
@reveal_option("visible")
@course_option
def feedback(
    folder: str, book: str, kind: Kind, rules: Rules, reveal: Visibility, *, course: Course
) -> int:
    """Write everybody's report into FOLDER, as pages and as Markdown. Zip the files of one kind to
    hand them back: Canvas and Moodle know them by their names.
    """
    from grader.classroom.feedback import feedback as pages_of

    with open_gradebook(book) as gradebook:
        marks = marks_of(gradebook, rules, kind.name(course))
    count = 0
    for name, page, text in pages_of(marks, course.title, reveal):
        for ending, content in (("html", page), ("md", text)):
            Path(folder, ending).mkdir(parents=True, exist_ok=True)
            save(Path(folder, ending, f"{name}.{ending}"), content)
        count += 1
    click.echo(f"wrote {count} reports to {folder}/html and {folder}/md")
    return warn_of_blanks(marks)
