"""`grade finish`: when everything passes, a certificate with the learner's own numbers, and their
engine as a library.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import course_option, examples, own_home, save
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.curriculum.model import Course, Stage
    from grader.intake.submission import Submission
    from grader.model import Report

PAGE = "certificate.html"


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
    """When every phase passes, write a certificate with your own numbers and your engine as an
    installable library, and suggest what to read next.
    """
    from grader.cli.hosting import given_host
    from grader.intake.read import read_submission
    from grader.judge.grade import Request, grade_request, select
    from grader.learner.finishing.library import About, check_name, write_library
    from grader.views.html import page

    check_name(library)
    home = own_home(course)
    submission = read_submission(home, course.files)
    asked = select(course, ["all", "extras"])
    report = grade_request(home, Request(course, asked, host=given_host())).revealed()
    results = {phase.id: phase for phase in report.phases}
    open_ = [stage for stage in course.stages if not stage.optional and not results[stage.id].done]
    if open_:
        words = course.words_for(open_)
        click.echo(
            f"not finished yet: {words.replace(' ', ', ')}; grade {words} shows what is missing"
        )
        click.echo(f"next: grade {open_[0].id}")
        return 1
    done = [
        stage
        for stage in course.stages
        if stage.id in results and results[stage.id].done and not stage.warm_up
    ]
    try:
        folder = write_library(course, submission, done, About(library, author or ""), Path(into))
    except OSError as error:
        raise UsageError(
            f"cannot write to {into!r}: {error.strerror}",
            "name a different folder: grade finish --into FOLDER",
        ) from error
    facts = _facts(course, submission, report, done)
    save(
        Path(into, PAGE),
        page(PAGE, name=author or "You", library=library, folder=folder.name, **facts),
    )
    click.echo(f"everything passes; your certificate is {Path(into, PAGE)}")
    click.echo(
        f"your engine is now a library: {folder}; to install it: python -m pip install"
        f" {folder.resolve()}"
    )
    for entry in course.reading:
        click.echo(f"read on: {entry}")
    return 0


def _facts(
    course: Course, submission: Submission, report: Report, done: list[Stage]
) -> dict[str, Any]:
    """Everything on the page that was counted or measured in this run."""
    phases = [phase for phase in report.phases if not course.stage(phase.id).optional]
    files = {stage.module for stage in done}
    source = b"\n".join(file.source for file in submission.files if file.module in files)
    return {
        "course": course.title,
        "phases": [phase.id for phase in phases],
        "checkpoints": report.counts["passed"],
        "points": sum(phase.score for phase in phases),
        "made": report.work.made,
        "gradients": report.work.read.get(course.graph.gradient, 0) if course.graph else 0,
        "lines": sum(bool(line.strip()) for line in source.splitlines()),
        "extras": [stage.title for stage in done if stage.optional],
        "date": time.strftime("%Y-%m-%d"),
        "version": report.version,
        "seed": report.seed,
        "sha256": submission.sha256,
        "reading": list(course.reading),
        **_times(course, submission),
    }


def _times(course: Course, submission: Submission) -> dict[str, Any]:
    from grader.cli.hosting import begin_host
    from grader.judge.session import Session
    from grader.learner.finishing.speed import NODES, measure_others, measure_own

    times: dict[str, float] = {}
    if course.graph is not None:
        module = course.graph.make.rpartition(".")[0]
        with begin_host() as host:
            session = Session(host.worker, submission, module, [], course.modules)
            own = measure_own(session, course.graph)
            session.close()
        if own is not None:
            times = {"yours": own, **measure_others()}
    most = max(times.values(), default=1.0)
    bars = [
        {"name": name, "microseconds": 1e6 * seconds, "share": 100 * seconds / most}
        for name, seconds in times.items()
    ]
    return {"times": bars, "nodes": NODES, "pytorch": "PyTorch" in times}
