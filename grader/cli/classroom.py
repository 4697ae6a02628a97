"""`grade class`: grade all submissions, keep a gradebook, export marks and write reports."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from collections.abc import Sequence

    from grader.classroom.gradebook import Entry, Gradebook
    from grader.classroom.marks import Rules, Standing
    from grader.classroom.roster import Person
    from grader.classroom.round import Round
    from grader.curriculum.model import Course
    from grader.model import Visibility

GRADEBOOK = "gradebook.sqlite"
Command = Callable[..., Any]
_book = click.option(
    "--gradebook",
    "book",
    default=GRADEBOOK,
    show_default=True,
    metavar="FILE",
    help="Gradebook file.",
)
_roster = click.option(
    "--roster",
    metavar="CSV",
    help="Roster of the class: a CSV file with the columns id and name, section and group.",
)
_kind_options = (
    click.option("--phases", metavar="PHASES", help="Phases to grade or to show (default: all)."),
    click.option(
        "--together",
        is_flag=True,
        help="As learners see it: a phase also fails if an earlier one does.",
    ),
)
_rule_options = (
    click.option(
        "--keep",
        type=click.Choice(["best", "last"]),
        default="best",
        show_default=True,
        help="Which submission counts if there are several.",
    ),
    click.option("--due", metavar="TIME", help='When it was due: "2026-11-30 23:59", local time.'),
    click.option(
        "--late-per-day",
        "late",
        default="0%",
        metavar="PERCENT",
        help="Share of the points that each day that has begun takes away.",
    ),
    click.option(
        "--out-of",
        type=click.FloatRange(0, min_open=True),
        metavar="N",
        help="Scale the marks, so that N is the best.",
    ),
)


def _kind(command: Command) -> Command:
    for option in reversed(_kind_options):
        command = option(command)
    return command


def _rules(command: Command) -> Command:
    """Add the options that make a mark, as one argument."""

    @wraps(command)
    def with_rules(
        *args: Any, keep: str, due: str | None, late: str, out_of: float | None, **options: Any
    ) -> int:
        code: int = command(*args, rules=_read_rules(keep, due, late, out_of), **options)
        return code

    for option in reversed(_rule_options):
        with_rules = option(with_rules)
    return with_rules


def _read_rules(keep: str, due: str | None, late: str, out_of: float | None) -> Rules:
    from grader.classroom.marks import Rules

    try:
        when = datetime.fromisoformat(due).timestamp() if due else 0.0
    except ValueError as error:
        raise UsageError(
            f"{due!r} is not a time", 'for example: --due "2026-11-30 23:59"'
        ) from error
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
    return Rules(keep, when, share, out_of)


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
        "grade class feedback for-learners",
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
@_kind
@_roster
@_book
@click.option("--jobs", type=click.IntRange(1), help="Number of processes (default: one per core).")
@click.option(
    "--dask",
    metavar="ADDRESS",
    default="",
    help="Grade on a Dask cluster: tcp://scheduler:8786, or local.",
)
@_rules
@click.option(
    "--again",
    multiple=True,
    metavar="ID",
    help="Grade this learner again, or everybody: --again all.",
)
@click.option("--total-only", is_flag=True, help="Export no columns for phases and checkpoints.")
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
    phases: str | None,
    roster: str | None,
    book: str,
    jobs: int | None,
    dask: str,
    again: tuple[str, ...],
    export_to: str | None,
    assignment: str | None,
    seed: int | None,
    isolation: int,
    required: int,
    rules: Rules,
    course: Course,
    *,
    together: bool,
    total_only: bool,
) -> int:
    """Grade everything in SUBMISSIONS: folders, files, notebooks or archives, or a download from
    Canvas, Moodle or Gradescope.
    """
    from grader.classroom.gradebook import Gradebook
    from grader.classroom.grading import GradingOptions
    from grader.classroom.roster import read_roster
    from grader.classroom.round import Round
    from grader.judge.job import DEFAULT_SEED

    how = GradingOptions(
        str(course.folder),
        tuple((phases or "all").split()),
        DEFAULT_SEED if seed is None else seed,
        isolation,
        required,
        str(course.private or ""),
        isolate=not together,
    )
    kind = how.kind(course)
    people = read_roster(Path(roster)) if roster else []
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
                Round(course, how, gradebook, people, _again(gradebook, again)),
                jobs or os.cpu_count() or 1,
                dask,
                assignment,
            )
        if export_to is not None:
            wanted = kind if submissions is not None or phases or together else None
            marks = _marks(gradebook, rules, wanted)
            if submissions is None and not together:
                _say_how(marks)
            _export(
                Path(export_to), marks, people, assignment or course.title, total_only=total_only
            )
            code = max(code, _warn(marks))
    return code


def _again(gradebook: Gradebook, words: Sequence[str]) -> set[str] | None:
    """Return the ids of those who are graded again; None means everybody."""
    if "all" in words:
        return None
    names = gradebook.learners() if words else {}
    return {_find(names, word) for word in words}


def _marks(gradebook: Gradebook, rules: Rules, kind: str | None) -> list[Standing]:
    """Return everybody's mark. Raise UsageError if the gradebook has gradings of several kinds."""
    from grader.classroom.gradebook import of_one_kind
    from grader.classroom.marks import standings

    entries = of_one_kind(gradebook.entries(reports=True), kind)
    if not entries:
        raise UsageError(
            f"the gradebook has no gradings of {kind}" if kind else "the gradebook is empty",
            "grade some submissions first: grade class SUBMISSIONS",
        )
    return standings(entries, gradebook.learners(), gradebook.comments(), rules)


def _say_how(marks: Sequence[Standing]) -> None:
    from grader.classroom.grading import ISOLATE
    from grader.judge.grade import ISOLATED

    kinds = {one.entry.key.phases for one in marks if one.entry}
    if any(kind.endswith(ISOLATE) for kind in kinds):
        click.echo(ISOLATED)


def _warn(marks: Sequence[Standing]) -> int:
    """Name the learners whose marks are blank, and why. Return 3 if the grader is to blame."""
    for one in marks:
        if one.reason and one.points is None:
            click.echo(_line(f"warning: no mark for {one.name} ({one.learner}): {one.reason}"))
    return 3 if any(one.outcome == "error" and one.points is None for one in marks) else 0


def _grade(folder: Path, round_: Round, jobs: int, dask: str, assignment: str | None = None) -> int:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from grader.classroom.layout import find_handed_in, unexplained

    layout, handed = find_handed_in(folder, assignment)
    console = make_console()
    console.print(f"submissions: {len(handed)}{f' ({layout})' if layout != 'folder' else ''}")
    if round_.how.isolate:
        console.print("each phase is graded with the reference for all other phases")
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


def _export(
    file: Path, marks: Sequence[Standing], people: list[Person], title: str, *, total_only: bool
) -> None:
    from grader.classroom.exports import export

    save_bytes(file, export(file, marks, people, title, total_only=total_only))
    there = [one for one in marks if one.points is not None]
    click.echo(f"wrote {file}: {len(there)} of {len(marks)} learners have a mark")


@classroom.command(
    short_help="Write one page about the whole class.",
    epilog=examples("grade class report --output class.html"),
)
@_book
@_kind
@_rules
@click.option(
    "--output", default="class.html", show_default=True, metavar="FILE", help="File for the page."
)
@click.option("--anonymous", is_flag=True, help="Leave out names and ids.")
@course_option
def report(
    book: str,
    phases: str | None,
    rules: Rules,
    output: str,
    *,
    together: bool,
    course: Course,
    anonymous: bool,
) -> int:
    """Write one page about the whole class: who passes what, the hardest checkpoints, the most
    common mistakes, and everybody's report.
    """
    from grader.classroom.gradebook import of_one_kind
    from grader.classroom.marks import standings
    from grader.classroom.page import class_page

    with _opened(book) as gradebook:
        kind = _kind_of(course, phases, together=together)
        entries = of_one_kind(gradebook.entries(reports=True), kind)
        marks = standings(entries, gradebook.learners(), gradebook.comments(), rules)
        text = class_page(course, entries, marks, rules.keep, anonymous=anonymous)
    save(Path(output), text)
    click.echo(f"wrote {output}; open it in a browser")
    return 0


def _kind_of(course: Course, phases: str | None, *, together: bool) -> str | None:
    """Return the kind of grading that somebody asked for, or None for the only one there is."""
    from grader.classroom.grading import GradingOptions

    if phases is None and not together:
        return None
    words = tuple((phases or "all").split())
    return GradingOptions(str(course.folder), words, isolate=not together).kind(course)


@classroom.command(
    short_help="Write everybody's report into a folder.",
    epilog=examples('grade class feedback for-learners --due "2026-11-30 23:59"'),
)
@click.argument("folder")
@_book
@_kind
@_rules
@reveal_option("visible")
@course_option
def feedback(
    folder: str,
    book: str,
    phases: str | None,
    rules: Rules,
    reveal: Visibility,
    *,
    together: bool,
    course: Course,
) -> int:
    """Write everybody's report into FOLDER, as pages and as Markdown. Zip the files of one kind to
    hand them back: Canvas and Moodle know them by their names.
    """
    from grader.classroom.feedback import feedback as pages_of

    with _opened(book) as gradebook:
        marks = _marks(gradebook, rules, _kind_of(course, phases, together=together))
    count = 0
    for name, page, text in pages_of(marks, course.title, reveal):
        for ending, content in (("html", page), ("md", text)):
            Path(folder, ending).mkdir(parents=True, exist_ok=True)
            save(Path(folder, ending, f"{name}.{ending}"), content)
        count += 1
    click.echo(f"wrote {count} reports to {folder}/html and {folder}/md")
    return _warn(marks)


@classroom.command(
    short_help="Comment on a learner's mark, and change it by hand.",
    epilog=examples('grade class comment ada "explained it in person" --points +2'),
)
@click.argument("learner")
@click.argument("text")
@click.option("--points", type=float, default=0.0, metavar="N", help="Points to add: +2 or -1.5.")
@_book
def comment(learner: str, text: str, points: float, book: str) -> int:
    """Add TEXT to the mark of LEARNER, and points if you like. Exports, pages and feedback show
    both.
    """
    from grader.classroom.gradebook import Comment
    from grader.intake.submission import printable

    with _opened(book) as gradebook:
        names = gradebook.learners()
        who = _find(names, learner)
        gradebook.add_comment(Comment(who, printable(text), points))
    changed = f"; {points:+g} points" if points else ""
    click.echo(_line(f"commented on {names[who]} ({who}){changed}"))
    return 0


@classroom.command(
    epilog=examples(
        "grade class show ada", "grade class show ada --html for-ada.html --reveal visible"
    )
)
@click.argument("learner")
@_book
@_kind
@_rules
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
    phases: str | None,
    rules: Rules,
    html: str | None,
    reveal: Visibility,
    *,
    together: bool,
    course: Course,
    verbose: bool,
) -> int:
    """Show one learner's report and list their submissions. Use --reveal visible for a report that
    you pass on to the learner.
    """
    from grader.classroom.feedback import mark_notes, report_of
    from grader.classroom.gradebook import current, of_one_kind
    from grader.classroom.marks import standings
    from grader.views.html import to_html
    from grader.views.terminal import print_report

    with _opened(book) as gradebook:
        names = gradebook.learners()
        who = _find(names, learner)
        entries = of_one_kind(
            current(gradebook.entries(who, reports=True)),
            _kind_of(course, phases, together=together),
        )
        (mark,) = standings(entries, {who: names[who]}, gradebook.comments(), rules)
    console = make_console()
    for number, entry in enumerate(entries, 1):
        console.print(f"submission {number}: {_line(_summary(entry))}")
    found = report_of(mark, reveal)
    if found is None:
        for line in mark_notes(mark) if mark.entry or mark.notes else ["nothing handed in"]:
            console.print(_line(line))
        return 0
    if html is not None:
        save(Path(html), to_html(found, f"{course.title}: {mark.name}"))
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
