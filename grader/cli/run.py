"""`grade phase4`: the options of grading."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import click

from grader.cli.formats import FORMATS
from grader.cli.options import (
    EPILOG,
    at_option,
    complete_phases,
    course_option,
    isolation_options,
    package_option,
    reveal_option,
    suites_option,
    verbose_option,
)
from grader.cli.places import SEED_VARIABLE
from grader.curriculum.model import Course


class _Run(click.Command):
    """Parse `--swap all-but 4` as one value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "all-but" in args[:-1]:
            at = args.index("all-but")
            args = [*args[:at], " ".join(args[at : at + 2]), *args[at + 2 :]]
        return super().parse_args(ctx, args)


@click.command(cls=_Run, hidden=True, epilog=EPILOG)
@click.argument("phases", nargs=-1, shell_complete=complete_phases)
@at_option(
    help="Grade this instead of your exercises: a folder, a file, a notebook, a zip or a tar."
)
@click.option(
    "--adapter",
    type=click.Path(),
    metavar="FILE",
    help="Grade an engine from elsewhere through this adapter; see grade adapt.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    help="Format of the report.",
)
@click.option("--output", type=click.Path(), metavar="FILE", help="Write the report to this file.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Seed for the random graphs.")
@click.option(
    "--secret-seed",
    type=click.IntRange(0, 2**32 - 1),
    envvar=SEED_VARIABLE,
    help=f"Like --seed, but never shown in reports. Prefer the variable {SEED_VARIABLE}.",
)
@isolation_options
@package_option
@click.option(
    "--swap",
    metavar="PHASES",
    default="",
    help="Use the reference solution for these phases: 1-3, all-but 4.",
)
@click.option(
    "--isolate",
    is_flag=True,
    help="Grade each phase on its own, with the reference for all earlier ones.",
)
@click.option(
    "--show-output",
    "shows_output",
    is_flag=True,
    help="With --isolate: show what code prints next to the reference. It may print the solution.",
)
@click.option(
    "--open",
    "opened",
    is_flag=True,
    help="Show the graph of the first failure in a browser, at its first wrong step.",
)
@verbose_option
@reveal_option("visible")
@suites_option
@course_option
def run(phases: tuple[str, ...], course: Course, **options: Any) -> int:
    """Grade PHASES (phase4, 4, 1-4, all) or checkpoints (phase4.seed). Without any, show where
    you stand.
    """
    from grader.cli.grading import perform

    return perform(course, phases, SimpleNamespace(**options))
