"""The options that commands share, and their completion."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from grader.cli.places import VARIABLE, load
from grader.curriculum.select import GROUPS
from grader.errors import GraderError
from grader.model import Visibility

Command = TypeVar("Command", bound=Callable[..., Any])
T = TypeVar("T")
EPILOG = """\b
examples
  grade init my-engine       start here: put the exercises into a new folder
  grade                      see where you stand and what comes next
  grade phase4               grade one phase; also 4, 1-4, phase1 phase3
  grade phase4.seed          grade one checkpoint
  grade all extras           grade all phases, including the optional ones
  grade all --at solutions   grade another folder, file, notebook or archive
  grade phase4 --format json
  grade quiz --help          show the options of a command, with examples

\b
exit codes
  0  all requested checkpoints pass
  1  some do not
  2  wrong usage, or a submission that cannot be read
  3  the grader itself failed, or the isolation is too low
"""


def examples(*commands: str) -> str:
    """Return the last paragraph of a command's `--help`: examples, one per line."""
    return "\b\nexamples\n" + "\n".join(f"  {command}" for command in commands)


folder_option = click.option(
    "--course",
    type=click.Path(),
    metavar="DIR",
    envvar=VARIABLE,
    help=f"Use the course in this folder (default: {VARIABLE}, or the built-in course).",
)
suites_option = click.option(
    "--suites", metavar="DIR", help="Add the checkpoints of the private suites in this folder."
)

package_option = click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="Let the code import this package, such as numpy.",
)
verbose_option = click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Show everything: tracebacks, printed output, names of checkpoints.",
)
together_option = click.option(
    "--together",
    is_flag=True,
    help="Grade as learners see it: a phase also fails if an earlier one does.",
)


def at_option(*, help: str) -> Callable[[Command], Command]:
    """Return the option `--at`, which names something other than the learner's own exercises."""
    return click.option("--at", "path", type=click.Path(), metavar="PATH", help=help)


def course_option(command: Callable[..., T]) -> Callable[..., T]:
    """Pass a command its `course`, either from `--course DIR` or built in.

    With `suites_option`, private suites are added. Raise UsageError or CourseError if either cannot
    be read.
    """

    @wraps(command)
    def with_course(*args: Any, course: str | None, suites: str | None = None, **options: Any) -> T:
        return command(*args, course=load(course, suites), **options)

    return folder_option(with_course)


def isolation_options(command: Command) -> Command:
    """Add `--isolation` and, as `required`, `--require-isolation`."""
    highest = click.option(
        "--isolation",
        type=click.IntRange(0, 3),
        default=3,
        metavar="N",
        help="Highest isolation level to use (0 to 3).",
    )
    lowest = click.option(
        "--require-isolation",
        "required",
        type=click.IntRange(0, 3),
        default=0,
        metavar="N",
        help="Refuse to grade below this isolation level.",
    )
    return highest(lowest(command))


def complete_phases(
    ctx: click.Context, _parameter: click.Parameter | None, incomplete: str
) -> list[CompletionItem]:
    """Complete phases, groups and, after a dot, checkpoints."""
    try:
        course = load(ctx.params.get("course") or os.environ.get(VARIABLE), None)
        titles = (
            {id: title for stage in course.stages for id, title in stage.titles.items()}
            if "." in incomplete
            else {**{stage.id: stage.title for stage in course.stages}, **dict.fromkeys(GROUPS)}
        )
    except (GraderError, OSError):  # a message would appear in the middle of typing
        return []
    return [
        CompletionItem(id, help=title) for id, title in titles.items() if id.startswith(incomplete)
    ]


def reveal_option(default: str) -> Callable[[Command], Command]:
    """Return the option `--reveal`, which gives the last visibility to show."""
    visible = {
        "visible": Visibility.VISIBLE,
        "after-due-date": Visibility.AFTER_DUE_DATE,
        "all": Visibility.HIDDEN,
    }
    return click.option(
        "--reveal",
        type=click.Choice(list(visible)),
        default=default,
        show_default=True,
        callback=lambda _context, _parameter, word: visible[word],
        help=(
            "Checkpoints to report: only visible ones, also the ones shown after the due date, or"
            " all."
        ),
    )
