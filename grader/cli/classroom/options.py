"""The options that the commands of `grade class` share, and what they name in the gradebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import package_option, together_option
from grader.cli.places import SEED_VARIABLE
from grader.errors import UsageError
from grader.text import joined, safe

if TYPE_CHECKING:
    from grader.classroom.entries import Entry
    from grader.classroom.gradebook import Gradebook
    from grader.classroom.grading import GradingOptions
    from grader.classroom.marks import Rules, Standing
    from grader.curriculum.model import Course

Command = Callable[..., Any]
MOST_POINTS = 1_000_000
book_option = click.option(
    "--gradebook",
    "book",
    default="gradebook.sqlite",
    show_default=True,
    metavar="FILE",
    help="Gradebook file.",
)
roster_option = click.option(
    "--roster",
    metavar="CSV",
    help="Roster: a CSV file with the columns id and name, and perhaps section, group, submitted.",
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1), help="Number of processes (default: one per core)."
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    envvar=SEED_VARIABLE,
    help="Seed for the random graphs; only the gradebook shows it.",
)
_kind_options = (
    click.option("--phases", metavar="PHASES", help="Phases to grade or to show (default: all)."),
    together_option,
    package_option,
)
_rule_options = (
    click.option(
        "--keep",
        type=click.Choice(["best", "last"]),
        default="best",
        show_default=True,
        help="Which submission counts if there are several.",
    ),
    click.option("--due", metavar="TIME", help='Due date, such as "2026-11-30 23:59", local time.'),
    click.option(
        "--late-per-day",
        "late",
        default="0%",
        metavar="PERCENT",
        help="Share of the points lost for each day late; a day that has begun counts in full.",
    ),
    click.option(
        "--out-of",
        type=float,
        metavar="N",
        help="Scale the marks so that N is the highest possible.",
    ),
)


@dataclass(frozen=True)
class GradingKind:
    """The kind of grading that `--phases`, `--together` and `--package` name."""

    phases: str | None
    together: bool
    packages: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Return the phases as they were typed."""
        return tuple((self.phases or "all").split())

    def name(self, course: Course) -> str | None:
        """Return the kind's name in the gradebook, or None if the options name none."""
        from grader.classroom.grading import GradingOptions

        if self.phases is None and not self.together and not self.packages:
            return None
        how = GradingOptions(
            str(course.folder), self.words, isolate=not self.together, packages=self.packages
        )
        return how.kind(course)


def _as_one(name: str, make: Callable[..., Any], options: Sequence[Command]) -> Command:
    """Return a decorator that adds options to a command, and what `make` makes of them as one
    argument.
    """

    def add(command: Command) -> Command:
        @wraps(command)
        def with_one(*args: Any, **given: Any) -> Any:
            taken = {key: given.pop(key) for key in signature(make).parameters}
            return command(*args, **given, **{name: make(**taken)})

        for option in reversed(options):
            with_one = option(with_one)
        return with_one

    return add


def _read_rules(keep: str, due: str | None, late: str, out_of: float | None) -> Rules:
    from grader.classroom.marks import Rules
    from grader.classroom.times import read_time

    when = read_time(due) if due else 0.0
    if when is None:
        raise UsageError(
            f"{due!r} is not a day with a time", 'for example: --due "2026-11-30 23:59"'
        )
    try:
        share = float(late.removesuffix("%")) / 100
    except ValueError as error:
        raise UsageError(
            f"{late!r} is not a percentage", "for example: --late-per-day 10%"
        ) from error
    if not 0 <= share <= 1:
        raise UsageError(f"{late!r} is not between 0% and 100%", "for example: --late-per-day 10%")
    if share and not due:
        raise UsageError("--late-per-day needs --due", 'for example: --due "2026-11-30 23:59"')
    if out_of is not None and not 1 <= out_of <= MOST_POINTS:  # also false for nan
        raise UsageError(
            f"--out-of {out_of:g} is not between 1 and {MOST_POINTS:,}", "for example: --out-of 100"
        )
    return Rules(keep, when, share, out_of)


kind_options = _as_one("kind", GradingKind, _kind_options)
rule_options = _as_one("rules", _read_rules, _rule_options)


def grading_options(
    course: Course, kind: GradingKind, seed: int | None, isolation: int, required: int
) -> GradingOptions:
    """Return how to grade, as the options say."""
    from grader.classroom.grading import GradingOptions
    from grader.judge.job import DEFAULT_SEED

    return GradingOptions(
        str(course.folder),
        kind.words,
        DEFAULT_SEED if seed is None else seed,
        isolation,
        required,
        str(course.private or ""),
        isolate=not kind.together,
        packages=kind.packages,
    )


def open_gradebook(book: str) -> Gradebook:
    """Return an existing gradebook. Raise UsageError if there is none."""
    from grader.classroom.gradebook import Gradebook

    if not Path(book).exists():
        raise UsageError(
            f"there is no gradebook {book!r}",
            "grade some submissions first: grade class SUBMISSIONS",
        )
    return Gradebook(Path(book))


def find_learner(names: Mapping[str, str], word: str) -> str:
    """Return the id that is meant: an exact id, or part of a single name. Raise UsageError."""
    if word in names:
        return word
    found = [
        id
        for id, name in names.items()
        if word.casefold() in {id.casefold(), re.sub(r"^\D+(?=\d+$)", "", id)}
        or word.casefold() in name.casefold()
    ]
    if len(found) == 1:
        return found[0]
    several = joined([f"{names[id]} ({id})" for id in found[:8]])
    problem = f"{word!r} matches several learners: {several}"
    raise UsageError(
        problem if found else f"no learner matches {word!r}", "use an id from the gradebook"
    )


def counted(
    gradebook: Gradebook, rules: Rules, kind: str | None
) -> tuple[list[Entry], list[Standing]]:
    """Return all gradings of one kind and everybody's mark. Raise UsageError if there are none, or
    several kinds.
    """
    from grader.classroom.entries import of_one_kind
    from grader.classroom.marks import refuse_unknown_times, standings

    entries = of_one_kind(gradebook.entries(reports=True), kind)
    if not entries:
        raise UsageError(
            f"the gradebook has no gradings of {kind}" if kind else "the gradebook is empty",
            "grade some submissions first: grade class SUBMISSIONS",
        )
    refuse_unknown_times(rules, [entry.timing for entry in entries])
    marks = standings(entries, gradebook.learners(), gradebook.comments(), rules)
    late = [one.name for one in marks if one.entry and one.entry.late]
    if late and rules.late_per_day:
        warning = (
            "warning: Canvas says that these are late, but not how late; one day counts unless"
            f" --times FILE says more: {joined(late)}"
        )
        click.echo(one_line(warning))
    return entries, marks


def tell_unexplained(marks: Sequence[Standing]) -> None:
    """Say for how many learners an explanation is missing."""
    if missing := sum(bool(one.entry and one.entry.unexplained) for one in marks):
        click.echo(
            f"{missing} of {len(marks)} fail where no change was searched yet; to explain them:"
            " grade class explain SUBMISSIONS"
        )


def warn_of_blanks(marks: Sequence[Standing]) -> int:
    """Name the learners whose marks are blank, and why. Return 3 if the grader is to blame."""
    from grader.classroom.marks import GIVE_TIMES, NO_TIME

    blank = [one for one in marks if one.reason and one.points is None]
    for one in blank:
        click.echo(one_line(f"warning: no mark for {one.name} ({one.learner}): {one.reason}"))
    if any(one.reason == NO_TIME for one in blank):
        click.echo(f"hint: {GIVE_TIMES}")
    return 3 if any(one.outcome == "error" for one in blank) else 0


def one_line(text: str, limit: int = 2000) -> str:
    """Return text from others on one line."""
    return safe(" ".join(text.splitlines()), limit)
