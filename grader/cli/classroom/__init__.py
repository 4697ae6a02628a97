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
from grader.cli.options import examples


class _FolderOrCommand(click.Group):
    """Treat the first word as a folder unless it is a command.

    `grade class handed-in` means `grade class run handed-in`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, "--help", "-h"}:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(
    "class",
    cls=_FolderOrCommand,
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
