"""`grade finish`: a certificate with the learner's own numbers, and their engine as a library."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from grader.cli.options import course_option, examples
from grader.cli.places import own_home
from grader.cli.streams import make_console, save
from grader.curriculum.model import Course, Stage
from grader.curriculum.select import shortest_words
from grader.intake.submission import Submission
from grader.model import Report, Verdict
from grader.text import safe
from grader.views.console import print_commands, print_text

PAGE, PICTURE = "certificate.html", "certificate.svg"


@click.command(
    short_help="Get a certificate, and your engine as a library.",
    epilog=examples('grade finish --name "Ada Lovelace"'),
)
@click.option(
    "--name", "author", metavar="NAME", help="Your name, for the certificate and the library."
)
@click.option(
    "--library",
    default="my_engine",
    show_default=True,
    metavar="NAME",
    help="Name of your library.",
)
@click.option(
    "--into", metavar="FOLDER", default="dist", show_default=True, help="Folder for both."
)
@course_option
def finish(author: str | None, library: str, into: str, course: Course) -> int:
    """When everything passes, write a certificate with your own numbers and an installable library
    of your engine, and list what to read next.
    """
    from grader.cli.hosting import HOST
    from grader.intake.read import read_submission
    from grader.judge.grade import Request, grade_request, select
    from grader.learner.finishing.library import check_name, write_library
    from grader.views.html import page

    check_name(library)
    home = own_home(course)
    submission = read_submission(home, course.files)
    asked = select(course, ["all", "extras"])
    report = grade_request(home, Request(course, asked, host=HOST.get())).revealed()
    passed = {phase.id for phase in report.phases if phase.done}
    console = make_console()
    open_ = [stage for stage in course.stages if not stage.optional and stage.id not in passed]
    if open_:
        words = shortest_words(course.stages, open_)
        missing = f"{words.replace(' ', ', ')}; `grade {words}` shows what is missing"
        print_commands([("not finished yet", missing), ("next", f"`grade {open_[0].id}`")], console)
        return 1
    done = [stage for stage in course.stages if stage.id in passed and not stage.warm_up]
    folder = write_library(course, submission, done, (library, author or ""), Path(into))
    facts = _facts(course, submission, report, done)
    facts |= {"name": author or "You", "library": library, "install": _to_install(folder)}
    for file in (PAGE, PICTURE):
        save(Path(into, file), page(file, **facts))
    print_text(Text("Everything passes.", style="bold green"), console)
    lines = [
        ("your certificate", safe(str(Path(into, PAGE)))),
        ("the same as a picture", safe(str(Path(into, PICTURE)))),
        ("your engine as a library", safe(str(folder))),
        ("to install it", f"`{facts['install']}`"),
    ]
    print_commands([*lines, *(("read on", entry) for entry in course.reading)], console)
    return 0


def _to_install(library: Path) -> str:
    """Return the command that installs the folder, and not a package of that name."""
    where = library.as_posix()
    return safe(f"python -m pip install {shlex.quote(where if '/' in where else f'./{where}')}")


def _facts(
    course: Course, submission: Submission, report: Report, done: list[Stage]
) -> dict[str, Any]:
    """Return the numbers of the certificate, counted or measured in this run."""
    phases = [phase for phase in report.phases if not course.stage(phase.id).optional]
    results = [result for phase in phases for result in phase.checkpoints if not result.bonus]
    extras = [stage.title.partition(": ")[2] or stage.title for stage in done if stage.optional]
    return {
        "course": course.title,
        "phases": [phase.id for phase in phases],
        "checkpoints": sum(result.verdict is Verdict.PASSED for result in results),
        "points": sum(phase.score for phase in phases),
        "extras": extras,
        "date": time.strftime("%Y-%m-%d"),
        "version": report.version,
        "seed": report.seed,
        "sha256": submission.sha256,
        "reading": list(course.reading),
    }
