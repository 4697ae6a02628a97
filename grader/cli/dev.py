"""`grade dev`: tools for course authors."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.commands import COMMANDS
from grader.cli.options import (
    complete_phases,
    course_option,
    examples,
    folder_option,
    suites_option,
)
from grader.curriculum.model import Course
from grader.errors import UsageError


@click.group(epilog=examples("grade dev check phase3", "grade dev new phase9 --course my-course"))
def dev() -> None:
    """Tools for course authors."""


@dev.command(
    epilog=examples("grade dev check", "grade dev check phase3 ext1.sin-of-degrees --repeat 25")
)
@click.argument(
    "only", nargs=-1, metavar="[PHASES OR FAULTY ENGINES]...", shell_complete=complete_phases
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    help="Grade each faulty engine this many times, and as often mirrored and with other seeds.",
)
@click.option("--jobs", type=click.IntRange(1), help="Number of processes (default: one per core).")
@click.option(
    "--write",
    is_flag=True,
    help=(
        "Write tables of the mistakes that these phases' suites catch to docs/, or to the --course"
        " folder."
    ),
)
@suites_option
@course_option
def check(
    only: tuple[str, ...], repeat: int, jobs: int | None, *, course: Course, write: bool
) -> int:
    """Check the course: stubs fail, solutions pass, faulty engines are caught as promised."""
    from grader.authoring.caught_table import caught_table
    from grader.authoring.check import audit
    from grader.authoring.course_files import TABLE
    from grader.curriculum.model import DEFAULT_COURSE

    if write and course.private:
        raise UsageError(
            "--write makes a public table, so it cannot include private suites",
            "leave out --suites",
        )
    if write and not {stage.id for stage in course.stages}.issuperset(only):
        raise UsageError("--write needs whole phases", "leave out the faulty engines")
    found = audit(course, only=only, repeat=repeat, jobs=jobs, tell=click.echo)
    if write and found.caught:
        page = (course.folder if course.folder != DEFAULT_COURSE else Path("docs")) / TABLE
        before = page.read_text(encoding="utf-8") if page.is_file() else ""
        page.write_text(caught_table(course, found.caught, before), encoding="utf-8")
    for entry in found.caught:
        click.echo(
            f"{'x' if entry.problems else '+'} {entry.faulty.id}:"
            f" {', '.join(entry.failed[:1]) or 'not caught'}"
        )
    for problem in found.problems:
        click.echo(f"problem: {problem}", err=True)
    click.echo(
        f"faulty engines: {len(found.caught)}; gradings: {found.gradings};"
        f" problems: {len(found.problems)}"
    )
    return 1 if found.problems else 0


@dev.command(
    epilog=examples(
        'grade dev new limits --course my-course --file calculus.py --title "What a limit is"'
    )
)
@click.argument("stage")
@click.option(
    "--file",
    metavar="FILE",
    help=(
        "The learner's file for this stage, such as engine.py (default: the last file of the"
        " course, or work.py)."
    ),
)
@click.option("--title", metavar="TITLE", help="Title that learners see next to its name.")
@folder_option
def new(stage: str, file: str | None, title: str | None, course: str | None) -> None:
    """Add STAGE to the course in the --course folder, or start a course if there is none yet.
    Existing files are never overwritten.
    """
    from grader.authoring.scaffold import write_stage

    if stage in COMMANDS:
        raise UsageError(
            f"a stage cannot be called {stage!r}, because `grade {stage}` is a command",
            "choose a name such as phase1 or limits",
        )
    if not course:
        raise UsageError(
            "the built-in course cannot be edited",
            f"name a folder: grade dev new {stage} --course DIR",
        )
    for path in write_stage(Path(course), stage, file=file, title=title):
        click.echo(path)
    click.echo(
        f"next: grade dev check --course {course}; it passes now; run it again after each change"
    )
