"""The options that the commands of `grade class` share, and the gradings that they select."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from operator import attrgetter
from pathlib import Path
from typing import Any

import click

from grader.classroom.entries import Entry
from grader.classroom.gradebook import Gradebook
from grader.classroom.grading import GradingOptions
from grader.classroom.marks import Standing
from grader.classroom.policy import Policy
from grader.classroom.roster import Person
from grader.cli.options import package_option, together_option
from grader.cli.places import SEED_VARIABLE
from grader.cli.streams import say
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.text import joined, safe

Command = Callable[..., Any]
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
    help="Roster: a CSV file with the columns id and name; optional: section, group, submitted.",
)
times_option = click.option(
    "--times",
    metavar="CSV",
    help="When learners handed in: a CSV file with the columns learner and time.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=lambda: os.cpu_count() or 1,
    help="Number of processes (default: one per core).",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    envvar=SEED_VARIABLE,
    help="Seed for the random graphs; only the gradebook shows it.",
)
_POLICY_OPTIONS = (
    click.option("--phases", metavar="PHASES", help="Phases to grade or to show (default: all)."),
    together_option,
    package_option,
    click.option(
        "--keep",
        type=click.Choice(["best", "last"]),
        help="The submission that counts if there are several (default: best).",
    ),
    click.option("--due", metavar="TIME", help='Due date, such as "2026-11-30 23:59", local time.'),
    click.option(
        "--late-per-day",
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
STRANGERS = "extensions for unknown learners"


def policy_words(command: Command) -> Command:
    """Add `--gradebook` and the options that name keys of the policy."""
    for option in reversed((book_option, *_POLICY_OPTIONS)):
        command = option(command)
    return command


def named_keys(given: dict[str, Any]) -> dict[str, Any]:
    """Take the keys of the policy out of a command's arguments. Return the named ones."""
    own = {field.name: given.pop(field.name, None) for field in fields(Policy)}
    return {
        name: value for name, value in own.items() if value not in (None, ()) and value is not False
    }


def policy_options(command: Command) -> Command:
    """Add `policy_words`, and pass a command its `policy`: the file next to the gradebook, with the
    options that override it for one run. Say what they override.
    """

    @wraps(command)
    def with_policy(*args: Any, book: str, course: Course, **given: Any) -> Any:
        from grader.classroom.policy import FILE, read_policy

        policy, lines = read_policy(Path(book).with_name(FILE), named_keys(given), course)
        for line in lines:
            say(one_line(line))
        return command(*args, book=book, course=course, policy=policy, **given)

    return policy_words(with_policy)


def grading_options(
    course: Course, policy: Policy, seed: int | None = None, isolation: int = 3, required: int = 0
) -> GradingOptions:
    """Return how to grade, according to the policy and the options."""
    from grader.classroom.grading import GradingOptions
    from grader.judge.job import DEFAULT_SEED

    return GradingOptions(
        course.folder,
        policy.phases or ("all",),
        course.private,
        isolation=isolation,
        required=required,
        seed=DEFAULT_SEED if seed is None else seed,
        isolate=not policy.together,
        packages=policy.packages,
    )


def roster_of(policy: Policy) -> list[Person]:
    """Return the people on the roster of the class, if it has one."""
    from grader.classroom.roster import read_roster

    return read_roster(Path(policy.roster)) if policy.roster else []


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
    """Return the id that a word names: an exact id, or part of a single name. Raise UsageError."""
    wanted = word.casefold()
    found = [word] if word in names else [id for id in names if wanted in names[id].casefold()]
    if len(found) != 1:
        several = joined([f"{names[id]} ({id})" for id in found[:8]])
        raise UsageError(
            f"{word!r} matches {f'several learners: {several}' if found else 'no learner'}",
            "use an id from the gradebook",
        )
    return found[0]


def counted(book: str, policy: Policy, course: Course) -> tuple[list[Entry], list[Standing]]:
    """Return all gradings of one kind and everybody's mark, with their lines of the roster, also
    for people who are only there. Raise UsageError if there are none, or several kinds.
    """
    from grader.classroom.entries import of_one_kind
    from grader.classroom.journal import in_effect
    from grader.classroom.marks import refuse_unknown_times, standings
    from grader.classroom.roster import NOBODY

    people = roster_of(policy)
    is_chosen = policy.phases or policy.together or policy.packages
    kind = grading_options(course, policy).kind(course) if is_chosen else None
    known = {person.id: person for person in people}
    with open_gradebook(book) as gradebook:
        names = {**{person.id: person.name for person in people}, **gradebook.learners()}
        entries = of_one_kind(gradebook.entries(reports=True), kind)
        changes = in_effect(gradebook.journal())
    if not entries:
        raise UsageError(
            f"the gradebook has no gradings of {kind}" if kind else "the gradebook is empty",
            "grade some submissions first: grade class SUBMISSIONS",
        )
    refuse_unknown_times(policy, [entry.timing for entry in entries])
    marks = [
        replace(one, person=known.get(one.learner, NOBODY))
        for one in standings(entries, names, changes, policy)
    ]
    warn(
        "Canvas says that these are late, but not how late; one day counts unless --times FILE says"
        " more",
        [one.name for one in marks if policy.late_per_day and one.entry and one.entry.late],
    )
    if len({(one.entry.key.course, one.entry.key.seed) for one in marks if one.entry}) > 1:
        say(
            "warning: these marks come from different suites or seeds; to make them equal:"
            " grade class SUBMISSIONS --regrade"
        )
    warn(STRANGERS, policy.extensions.keys() - names.keys())
    return entries, marks


def warn(what: str, names: Collection[str]) -> None:
    """Print a warning with these names, if there are any."""
    if names:
        say(one_line(f"warning: {what}: {joined(sorted(names))}"))


def tell_unexplained(marks: Sequence[Standing]) -> None:
    """Say for how many learners an explanation is missing."""
    if missing := sum(bool(one.entry and one.entry.unexplained) for one in marks):
        click.echo(
            f"{missing} of {len(marks)} fail without an explanation; to search for one:"
            " grade class explain SUBMISSIONS"
        )


def warn_of_blanks(marks: Sequence[Standing]) -> int:
    """Name the learners whose marks are blank, and why. Return 3 if the grader is to blame."""
    from grader.classroom.marks import GIVE_TIMES, NO_TIME

    nothing = [one.name for one in marks if not (one.entry or one.reason or one.points)]
    warn(f"{len(nothing)} handed in nothing", nothing)
    blank = [one for one in marks if one.reason and one.points is None]
    unmarked = [f"{one.name}: {joined(one.missing)}" for one in blank if not one.failure]
    warn(f"no mark for {len(unmarked)}, not all marked by hand", unmarked)
    for one in filter(attrgetter("failure"), blank):
        say(one_line(f"warning: no mark for {one.name} ({one.learner}): {one.reason}"))
    if any(one.reason == NO_TIME for one in blank):
        say(f"hint: {GIVE_TIMES}")
    return 3 if any(one.outcome == "error" for one in blank) else 0


def one_line(text: str, limit: int = 2000) -> str:
    """Return someone else's text on one line."""
    return safe(" ".join(text.splitlines()), limit)
