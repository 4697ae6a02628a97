"""`grade checklist`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.options import at_option, course_option, examples
from grader.cli.places import locate
from grader.cli.streams import make_console
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.curriculum.model import Course


@click.command(epilog=examples("grade checklist", "grade checklist --tick like-pytorch"))
@at_option(
    help="Check this instead of your exercises: a folder, a file, a notebook, a zip or a tar."
)
@click.option("--tick", metavar="NAME", multiple=True, help="Tick an item yourself.")
@click.option("--untick", metavar="NAME", multiple=True, help="Untick an item.")
@course_option
def checklist(
    path: str | None, tick: tuple[str, ...], untick: tuple[str, ...], course: Course
) -> int:
    """Show what you can do. Checkpoints and quiz answers tick most items; the rest you tick
    yourself.
    """
    from grader.intake.read import read_submission
    from grader.learner.progress import FOLDER, load_progress, load_right, load_ticked, save_ticked
    from grader.learner.quiz.checklist import Known, find_items, refuse_what_code_proves
    from grader.learner.quiz.course_screens import print_checklist
    from grader.learner.quiz.questions import load_quiz

    questions = load_quiz(course)
    refuse_what_code_proves(course, questions, (*tick, *untick))
    where, home = locate(course, path)
    unsaved = ""
    if tick or untick:
        if home is None:
            raise UsageError(
                f"ticks cannot be saved for {where!r}",
                "leave out --at: ticks are saved with your own code",
            )
        unsaved = save_ticked(home, {*load_ticked(home), *tick} - {*untick})
    known = Known(load_progress(home), load_right(home), load_ticked(home))
    print_checklist(
        find_items(course, questions, known, read_submission(where, course.files)), make_console()
    )
    if unsaved:
        click.echo(f"note: not saved, because {FOLDER} cannot be written: {unsaved}")
    return 0
