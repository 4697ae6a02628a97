"""TRUSTED: `grade class`: grade all submissions, keep a gradebook, export marks, write reports."""

from __future__ import annotations

import click

from grader.cli.classroom.check import check
from grader.cli.classroom.comment import comment, journal, mark, undo
from grader.cli.classroom.explain import explain
from grader.cli.classroom.export import export
from grader.cli.classroom.feedback import feedback
from grader.cli.classroom.init import init
from grader.cli.classroom.report import report
from grader.cli.classroom.run import run
from grader.cli.classroom.show import show
from grader.cli.classroom.similar import similar
from grader.cli.commands import RunOrCommand
from grader.cli.options import examples


@click.group(
    "class",
    cls=RunOrCommand,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    short_help="Grade a whole class into a gradebook.",
    epilog=examples(
        "grade class init",
        "grade class check handed-in --roster roster.csv",
        "grade class handed-in --roster roster.csv",
        "grade class explain handed-in --roster roster.csv",
        "grade class report",
        "grade class show ada",
        "grade class similar",
        "grade class feedback feedback.zip",
        "grade class export --to canvas --roster roster.csv",
    ),
)
def classroom() -> None:
    """Grade everybody's submissions into a gradebook; report on it and export it.

    `grade class handed-in` is short for `grade class run handed-in` and takes the same options.
    """


for _command in (
    *(init, check, run, explain, report, show, similar, feedback, export),
    *(mark, comment, undo, journal),
):
    classroom.add_command(_command)
