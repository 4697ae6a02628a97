"""`grade class`: grade all submissions, keep a gradebook, export marks and write reports."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import (
    SEED_VARIABLE,
    course_option,
    examples,
    make_console,
    reveal_option,
    save,
    save_bytes,
    suites_option,
)
from grader.errors import UsageError
from grader.text import joined, safe

if TYPE_CHECKING:
    from grader.classroom.gradebook import Entry, Gradebook
    from grader.classroom.roster import Person
    from grader.classroom.round import Round
    from grader.curriculum.model import Course
    from grader.model import Visibility

GRADEBOOK = "gradebook.sqlite"
_book = click.option(
    "--gradebook",
    "book",
    default=GRADEBOOK,
    show_default=True,
    metavar="FILE",
    help="Gradebook file.",
)
_keep = click.option(
    "--keep",
    type=click.Choice(["best", "last"]),
    default="best",
    show_default=True,
    help="Which submission counts if there are several.",
)
_roster = click.option(
    "--roster", metavar="CSV", help="Roster of the class: a CSV file with the columns id and name."
)


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
        "grade class handed-in --roster roster.csv",
        "grade class report",
        "grade class show ada",
        "grade class --export canvas.csv",
    ),
)
def classroom() -> None:
    """Grade everybody's submissions into a gradebook; report on it and export it.

    `grade class handed-in` is short for `grade class run handed-in` and takes the same options.
    """


@classroom.command(
    short_help="Grade a folder of submissions (the word run is optional).",
    epilog=examples(
        "grade class handed-in --roster roster.csv",
        "grade class run handed-in --roster roster.csv --phases 1-6",
        "grade class --export canvas.csv",
    ),
)
@click.argument("submissions", required=False)
@click.option("--phases", default="all", show_default=True, help="Phases to grade.")
@_roster
@_book
@click.option("--jobs", type=click.IntRange(1), help="Number of processes (default: one per core).")
@click.option(
    "--dask",
    metavar="ADDRESS",
    default="",
    help="Grade on a Dask cluster: tcp://scheduler:8786, or local.",
)
@_keep
@click.option(
    "--export",
    "export_to",
    metavar="FILE",
    help="Export the marks to canvas.csv, moodle.csv or grades.csv.",
)
@click.option("--assignment", metavar="NAME", help="Name of the column in the Canvas export.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    envvar=SEED_VARIABLE,
    help="Seed for the random graphs; only the gradebook shows it.",
)
@click.option(
    "--isolation",
    type=click.IntRange(0, 3),
    default=3,
    metavar="N",
    help="Highest isolation level to use (0 to 3).",
)
@click.option(
    "--require-isolation",
    "required",
    type=click.IntRange(0, 3),
    default=0,
    metavar="N",
    help="Refuse to grade below this isolation level.",
)
@suites_option
@course_option
def run(
    submissions: str | None,
    phases: str,
    roster: str | None,
    book: str,
    jobs: int | None,
    dask: str,
    keep: str,
    export_to: str | None,
    assignment: str | None,
    seed: int | None,
    isolation: int,
    required: int,
    course: Course,
) -> int:
    """Grade everything in SUBMISSIONS: folders, files, notebooks or archives, or a download from
    Canvas, Moodle or Gradescope.
    """
    from grader.classroom.gradebook import Gradebook
    from grader.classroom.grading import GradingOptions
    from grader.classroom.roster import read_roster
    from grader.classroom.round import Round
    from grader.judge.job import DEFAULT_SEED

    course.select(phases.split())
    people = read_roster(Path(roster)) if roster else []
    how = GradingOptions(
        str(course.folder),
        tuple(phases.split()),
        DEFAULT_SEED if seed is None else seed,
        isolation,
        required,
        str(course.private or ""),
    )
    if submissions is None and export_to is None:
        raise UsageError(
            "nothing to grade or to export",
            "name the folder of the submissions, or add --export FILE",
        )
    code = 0
    with Gradebook(Path(book)) if submissions is not None else _opened(book) as gradebook:
        if submissions is not None:
            code = _grade(
                Path(submissions),
                Round(course, how, gradebook, people),
                jobs or os.cpu_count() or 1,
                dask,
            )
        if export_to is not None:
            _export(Path(export_to), gradebook, people, keep, assignment or course.title)
    return code


def _grade(folder: Path, round_: Round, jobs: int, dask: str) -> int:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from grader.classroom.layout import find_handed_in, unexplained

    layout, handed = find_handed_in(folder)
    console = make_console()
    console.print(f"submissions: {len(handed)}{f' ({layout})' if layout != 'folder' else ''}")
    counts: Counter[str] = Counter()
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        begun = time.monotonic()
        bar = progress.add_task("", total=len(handed), left="")
        try:
            for outcome, name in round_.grade(handed, jobs, dask):
                counts[outcome] += 1
                graded, all_ = (
                    counts["graded"] + counts["error"],
                    len(handed) - counts["known"] - counts["refused"],
                )
                left = remaining(graded, all_, time.monotonic() - begun)
                progress.update(
                    bar, completed=graded, total=all_, left=left, description=_line(name, 40)
                )
        except KeyboardInterrupt:
            progress.stop()
            console.print(
                f"stopped: {counts.total()} of {len(handed)} are in the gradebook; run the same"
                " command again to continue"
            )
            return 130
    words = {
        "graded": "graded",
        "known": "already graded",
        "refused": "could not be read",
        "error": "could not be judged",
    }
    console.print(
        ", ".join(f"{counts[key]} {word}" for key, word in words.items() if counts[key])
        or "nothing to grade"
    )
    for line in round_.remarks(handed):
        console.print(_line(line))
    if strangers := unexplained(folder, handed):
        console.print(
            _line(
                f"{len(strangers)} not graded, because the name does not look like a submission:"
                f" {joined(strangers)}"
            )
        )
    return 3 if counts["error"] else 0


def _line(text: str, limit: int = 2000) -> str:
    """Return text from others on one line."""
    return safe(" ".join(text.splitlines()), limit)


def remaining(graded: int, all_: int, seconds: float) -> str:
    """Return an estimate of the remaining time, from the time per graded submission so far.

    Known and refused submissions take no time.
    """
    if not graded:
        return ""
    minutes, left = divmod(round(seconds * (all_ - graded) / graded), 60)
    return f"{minutes}:{left:02} left"


def _export(file: Path, gradebook: Gradebook, people: list[Person], keep: str, title: str) -> None:
    from grader.classroom.exports import export
    from grader.classroom.gradebook import chosen

    entries = chosen(gradebook.entries(), keep)
    if not entries:
        raise UsageError(
            "the gradebook is empty", "grade some submissions first: grade class SUBMISSIONS"
        )
    learners = gradebook.learners()
    save_bytes(file, export(file, entries, learners, people, title))
    click.echo(f"wrote {file}: {len(entries)} of {len(learners)} learners have been graded")


@classroom.command(
    short_help="Write one page about the whole class.",
    epilog=examples("grade class report --output class.html"),
)
@_book
@_keep
@click.option(
    "--output", default="class.html", show_default=True, metavar="FILE", help="File for the page."
)
@click.option("--anonymous", is_flag=True, help="Leave out names and ids.")
@course_option
def report(book: str, keep: str, output: str, *, course: Course, anonymous: bool) -> int:
    """Write one page about the whole class: who passes what, the hardest checkpoints, the most
    common mistakes, and everybody's report.
    """
    from grader.classroom.page import class_page

    with _opened(book) as gradebook:
        text = class_page(
            course, gradebook.entries(reports=True), gradebook.learners(), keep, anonymous=anonymous
        )
    save(Path(output), text)
    click.echo(f"wrote {output}; open it in a browser")
    return 0


@classroom.command(
    epilog=examples(
        "grade class show ada", "grade class show ada --html for-ada.html --reveal visible"
    )
)
@click.argument("learner")
@_book
@_keep
@click.option("--html", metavar="FILE", help="Write the report as a page instead.")
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Show everything: tracebacks, printed output, names of checkpoints.",
)
@reveal_option("all")
@course_option
def show(
    learner: str,
    book: str,
    keep: str,
    html: str | None,
    reveal: Visibility,
    *,
    course: Course,
    verbose: bool,
) -> int:
    """Show one learner's report and list their submissions. Use --reveal visible for a report that
    you pass on to the learner.
    """
    from grader.classroom.gradebook import chosen, current
    from grader.views.html import to_html
    from grader.views.json import from_json
    from grader.views.terminal import print_report

    with _opened(book) as gradebook:
        who = _find(gradebook.learners(), learner)
        entries = current(gradebook.entries(who, reports=True))
    console = make_console()
    for number, entry in enumerate(entries, 1):
        console.print(f"submission {number}: {_line(_summary(entry))}")
    counting = chosen(entries, keep).get(who)
    if counting is None or not counting.report:
        console.print("nothing handed in" if counting is None else _line(counting.message))
        return 0
    found = from_json(counting.report).revealed(reveal)
    if html is not None:
        save(Path(html), to_html(found, f"{course.title}: {counting.name}"))
        click.echo(f"wrote {html}; open it in a browser")
        return 0
    console.print()
    print_report(found, console, verbose=verbose)
    return 0


def _summary(entry: Entry) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.received))
    mark = f"{entry.score}/{entry.max_score}" if entry.outcome == "graded" else entry.message
    return f"{when}{' late' if entry.late else ''}  {mark}  {entry.origin}"


def _find(names: dict[str, str], word: str) -> str:
    """Return the id that is meant: an exact id, or part of a single name. Raise UsageError."""
    if word in names:
        return word
    found = [
        id
        for id, name in names.items()
        if word.casefold() in name.casefold() or word.casefold() == id.casefold()
    ]
    if len(found) == 1:
        return found[0]
    several = joined([f"{names[id]} ({id})" for id in found[:8]])
    raise UsageError(
        f"{word!r} matches several learners: {several}"
        if found
        else f"no learner matches {word!r}",
        "use an id from the gradebook",
    )


def _opened(book: str) -> Gradebook:
    from grader.classroom.gradebook import Gradebook

    if not Path(book).exists():
        raise UsageError(
            f"there is no gradebook {book!r}",
            "grade some submissions first: grade class SUBMISSIONS",
        )
    return Gradebook(Path(book))
