"""`grade checklist`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from grader.cli.hosting import HOST, host_of_command
from grader.cli.options import at_option, course_option, examples
from grader.cli.places import find_home, folder_of_notebook, locate
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.learner.progress import Reached


@click.command(epilog=examples("grade checklist", "grade checklist --tick like-pytorch"))
@at_option(
    help="Check this instead of your exercises: a folder, a file, a notebook, a zip or a tar."
)
@click.option("--tick", metavar="NAME", multiple=True, help="Tick an item yourself.")
@click.option("--untick", metavar="NAME", multiple=True, help="Untick an item.")
@click.option("--session", hidden=True)  # the cells that a notebook has run
@course_option
def checklist(
    path: str | None,
    tick: tuple[str, ...],
    untick: tuple[str, ...],
    session: str | None,
    course: Course,
) -> None:
    """Show what you can do. Checkpoints and quiz answers tick most items; the rest you tick
    yourself.
    """
    from grader.intake.read import read_submission
    from grader.learner.progress import FOLDER, change_names, load
    from grader.learner.quiz.checklist import find_items, refuse_what_code_proves
    from grader.learner.quiz.course_screens import print_checklist

    refuse_what_code_proves(course, (*tick, *untick))
    in_notebook = not path and not find_home(course) and folder_of_notebook()
    where, home = (session or ".", Path()) if session or in_notebook else locate(course, path)
    unsaved = ""
    if tick or untick:
        if home is None:
            raise UsageError(
                f"ticks cannot be saved for {where!r}",
                "leave out --at: ticks are saved with your own code",
            )
        unsaved = change_names(home, "ticked", tick, untick)
    known = load(home)
    if path or session or in_notebook:
        known = replace(known, phases=_graded(where, course))
    submission = read_submission(where, course.files, host_of_command().worker)
    print_checklist(find_items(course, submission, known), make_console())
    if unsaved:
        click.echo(f"note: not saved, because {FOLDER} cannot be written: {unsaved}")


def _graded(where: str, course: Course) -> dict[str, Reached]:
    """Grade every phase that proves an item, because nothing is saved about this code."""
    from grader.judge.grade import Request, grade_request, select
    from grader.learner.progress import reached_in

    proving = (checkpoint.id for name in course.checklist for checkpoint in course.proving(name))
    asked = select(course, list(dict.fromkeys(course.stage_of(id).id for id in proving)))
    report = grade_request(where, Request(course, asked, host=HOST.get()))
    return {phase.id: reached_in(phase) for phase in report.phases}
