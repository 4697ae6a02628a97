"""`grade init`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from grader.cli.options import course_option, examples
from grader.cli.places import VARIABLE
from grader.cli.streams import say
from grader.curriculum.model import Course
from grader.errors import UsageError


@click.command(
    short_help="Write the exercises into a new folder.",
    epilog=examples("grade init my-engine", "grade init late-start --phase 5 --with-solutions"),
)
@click.argument("folder", default=".")
@click.option("--phase", metavar="PHASE", help="Start at this phase, with the earlier ones solved.")
@click.option(
    "--with-solutions",
    "spoil",
    is_flag=True,
    help="Confirm that you want the solutions of the earlier phases.",
)
@course_option
def init(folder: str, phase: str | None, *, course: Course, spoil: bool) -> None:
    """Write the exercises and a README into FOLDER (default: this one). Existing files are never
    overwritten.
    """
    from grader.curriculum.model import DEFAULT_COURSE
    from grader.curriculum.packages import for_shell
    from grader.learner.workspace import write_course

    earlier = course.before(course.select([phase])[0]) if phase else ()
    finished = tuple(stage for stage in earlier if not stage.optional)
    if spoil != bool(phase):
        wanted = f"--phase {phase} --with-solutions" if phase else "--phase PHASE --with-solutions"
        raise UsageError("--phase and --with-solutions must be used together", f"use {wanted}")
    if finished:
        course.require_solutions(
            "--with-solutions", "begin with the first phase: grade init FOLDER"
        )
    written = write_course(course, Path(folder), finished)
    say(f"wrote to {folder}: {', '.join(path.name for path in written)}")
    say("next: grade" if folder == "." else f"next: cd {for_shell(folder)}, then grade")
    if course.folder != DEFAULT_COURSE and not os.environ.get(VARIABLE):
        say(f"first: set {VARIABLE} to {course.folder}, or add --course to each command")
