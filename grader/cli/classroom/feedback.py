"""`grade class feedback`: everybody's report, to hand back."""

from __future__ import annotations

import click

from grader.classroom.policy import Policy
from grader.cli.classroom.options import counted, policy_options, tell_unexplained, warn_of_blanks
from grader.cli.options import course_option, examples, reveal_option
from grader.cli.streams import save_files
from grader.curriculum.model import Course
from grader.model import Visibility


@click.command(
    short_help="Write everybody's report, to hand back.",
    epilog=examples(
        "grade class feedback feedback.zip",
        'grade class feedback for-learners --due "2026-11-30 23:59"',
    ),
)
@click.argument("target", metavar="FOLDER_OR_ZIP")
@click.option(
    "--format",
    "ending",
    type=click.Choice(["html", "md"]),
    default="html",
    show_default=True,
    help="Write pages, or Markdown.",
)
@reveal_option("visible")
@course_option
@policy_options
def feedback(
    target: str, ending: str, book: str, policy: Policy, reveal: Visibility, *, course: Course
) -> int:
    """Write everybody's report into a folder or a zip.

    Canvas and Moodle recognise the files by name and accept the zip as it is.
    """
    from grader.classroom.feedback import feedback as pages_of

    _, marks = counted(book, policy, course)
    files = {
        f"{name}.{ending}": (page if ending == "html" else text).encode("utf-8", "backslashreplace")
        for name, page, text in pages_of(marks, course.title, reveal)
    }
    save_files(target, files)
    click.echo(f"wrote {len(files)} reports to {target}")
    tell_unexplained(marks)
    return warn_of_blanks(marks)
