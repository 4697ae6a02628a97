"""`grade phase4`: grade phases, or show where the learner is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.commands import near_command
from grader.cli.formats import FORMATS, WHOLE, Shape
from grader.cli.options import (
    EPILOG,
    SEED_VARIABLE,
    complete_file,
    complete_phases,
    course_option,
    locate,
    make_console,
    reveal_option,
    save,
    suites_option,
    write,
)
from grader.cli.status_line import waiting
from grader.errors import InternalError, UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from grader.cli.trace import Exhibit
    from grader.curriculum.model import Course
    from grader.intake.adapter import Adapter
    from grader.model import Report, Visibility


class _Run(click.Command):
    """Parse `--swap all-but 4` as one value, and let only the report set the exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (SystemExit, click.exceptions.Exit) as error:  # raised by a dependency
            raise InternalError(
                f"the grader failed: {type(error).__name__} before the report was complete",
                "run it again with GRADE_DEBUG=1, and report the traceback",
            ) from error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "all-but" in args[:-1]:
            at = args.index("all-but")
            args = [*args[:at], " ".join(args[at : at + 2]), *args[at + 2 :]]
        return super().parse_args(ctx, args)


@click.command(cls=_Run, hidden=True, epilog=EPILOG)
@click.argument("phases", nargs=-1, shell_complete=complete_phases)
@click.option(
    "--at",
    "path",
    metavar="PATH",
    shell_complete=complete_file,
    help="Grade this instead of your exercises: a folder, a file, a notebook, a zip or a tar.",
)
@click.option(
    "--adapter",
    metavar="FILE",
    shell_complete=complete_file,
    help="Grade an engine from elsewhere through this adapter; see grade adapt.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    help="Format of the report.",
)
@click.option(
    "--output", metavar="FILE", shell_complete=complete_file, help="Write the report to this file."
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Seed for the random graphs.")
@click.option(
    "--secret-seed",
    type=click.IntRange(0, 2**32 - 1),
    envvar=SEED_VARIABLE,
    help=f"Like --seed, but never shown in reports. Prefer the variable {SEED_VARIABLE}.",
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
@click.option(
    "--swap",
    metavar="PHASES",
    default="",
    help="Use the reference solution for these phases: 1-3, all-but 4.",
)
@click.option(
    "--isolate",
    is_flag=True,
    help="Grade each phase on its own, with the reference for all the others.",
)
@click.option(
    "--open",
    "opened",
    is_flag=True,
    help="Show the graph of the first failure in a browser, at its first wrong step.",
)
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Show everything: tracebacks, printed output, names of checkpoints.",
)
@reveal_option("visible")
@suites_option
@course_option
def run(
    phases: tuple[str, ...],
    path: str | None,
    form: str,
    output: str | None,
    seed: int | None,
    secret_seed: int | None,
    isolation: int,
    required: int,
    reveal: Visibility,
    swap: str,
    adapter: str | None,
    *,
    course: Course,
    isolate: bool,
    opened: bool,
    verbose: bool,
) -> int:
    """Grade PHASES (phase4, 4, 1-4, all) or checkpoints (phase4.seed). Without any, show where
    you stand.
    """
    _refuse_misspelt(course, phases)
    _refuse_contradictions(adapter, path, swap=swap, isolate=isolate, opened=opened)
    where, home = locate(course, path)
    is_screen = form == "text" and output is None
    if not phases and form == "text" and adapter is None:
        return _status(course, where, home)
    from grader.cli.hosting import given_host, given_page
    from grader.judge.grade import Request, grade_request, select, select_swapped
    from grader.judge.job import Caches
    from grader.model import Visibility

    asked = select(course, phases or ("all",))
    drawn, is_secret = _seed(seed, secret_seed)
    exhibit = _exhibit(course, asked.checkpoints, reveal) if opened else None
    with waiting(wanted=is_screen) as tell:
        request = Request(
            course,
            asked,
            seed=drawn,
            isolation=isolation,
            require_isolation=required,
            swap=select_swapped(course, swap),
            isolate=isolate,
            host=given_host(),
            adapter=_read_adapter(adapter),
            tell=tell,
            look=exhibit.look if exhibit else None,
            caches=page.caches if (page := given_page()) is not None else Caches(),
        )
        report = grade_request(where, request)
    report = replace(report, seed=None) if is_secret else report
    shown = report.revealed(reveal)
    is_own = not (swap or isolate or course.private or reveal is not Visibility.VISIBLE)
    own = home if is_own else None
    if own is not None:
        shown = _with_progress(shown, own)
    report, shown = report.only(asked.checkpoints), shown.only(asked.checkpoints)
    if form in WHOLE:
        shown = report
    if not shown.phases:
        raise UsageError("learners do not see these checkpoints", "add --reveal all to show them")
    _show(shown, form, output, Shape(course.title, reveal, verbose))
    if exhibit is not None:
        exhibit.show(home, shown)
    # a checkpoint that could not be judged is an error, even if it is hidden
    code = 3 if report.exit_code == 3 else shown.exit_code
    if own is not None and is_screen and (code == 0 or _is_to_be_written(shown)):
        _status(course, where, own, brief=True, passed=shown.phases[-1].id if code == 0 else "")
    return code


def _refuse_misspelt(course: Course, words: Sequence[str]) -> None:
    """Raise UsageError if the first word is not a phase and nearly a command."""
    if words and not course.knows(words[0]) and (hint := near_command(words[0])):
        raise UsageError(f"there is no command or phase {words[0]!r}", hint)


def _is_to_be_written(report: Report) -> bool:
    """Return whether every checkpoint that does not pass is simply not written yet."""
    from grader.model import Verdict

    verdicts = {result.verdict for result in report.checkpoints if result.counts}
    return Verdict.NOT_STARTED in verdicts and verdicts <= {Verdict.NOT_STARTED, Verdict.PASSED}


def _with_progress(report: Report, home: Path) -> Report:
    from grader.learner.progress import load_progress, save_progress, with_regressions

    report = with_regressions(report, load_progress(home))
    save_progress(home, report)
    return report


def _seed(seed: int | None, secret: int | None) -> tuple[int, bool]:
    """Return the seed to use, and whether it is secret."""
    from grader.judge.job import DEFAULT_SEED

    if seed is not None and secret is not None:
        raise UsageError(
            f"--seed and --secret-seed (or {SEED_VARIABLE}) cannot be combined",
            "use only one of them",
        )
    return (DEFAULT_SEED if seed is None else seed, False) if secret is None else (secret, True)


def _exhibit(course: Course, asked: Collection[str], reveal: Visibility) -> Exhibit:
    from grader.cli.trace import Exhibit

    return Exhibit(course, asked, reveal)


def _refuse_contradictions(
    adapter: str | None, path: str | None, *, swap: str, isolate: bool, opened: bool
) -> None:
    """Raise UsageError for options that exclude each other."""
    if swap and isolate:
        raise UsageError(
            "--swap and --isolate cannot be combined", "--isolate already swaps all other phases"
        )
    if adapter is None:
        return
    if path is None:
        raise UsageError(
            "--adapter needs --at, which names the engine",
            "for example: grade all --at some/engine.py --adapter adapter.toml",
        )
    if swap or isolate:
        raise UsageError(
            "--swap and --isolate cannot be combined with --adapter",
            "they need an engine that was written for this course",
        )
    if opened:
        raise UsageError(
            "--open cannot be combined with --adapter",
            "it needs an engine that was written for this course",
        )


def _read_adapter(file: str | None) -> Adapter | None:
    """Read the adapter that was named.

    An adapter inside a submission is ignored, because a submission must not decide how it is
    graded.
    """
    if file is None:
        return None
    from grader.intake.adapter import read_adapter

    return read_adapter(Path(file))


def _status(
    course: Course, where: str, home: Path | None, *, brief: bool = False, passed: str = ""
) -> int:
    from grader.cli.hosting import begin_host
    from grader.intake.read import read_submission
    from grader.learner.progress import load_progress, load_spoiled
    from grader.learner.status import find_status
    from grader.learner.status_screen import print_after, print_next, print_status

    with begin_host() as host:
        submission = read_submission(where, course.files, host.reader)
        status = find_status(course, submission, load_progress(home), host)
    if brief:
        if passed:
            print_after(course.stage(passed), course, make_console())
        print_next(status, course, make_console())
    else:
        print_status(status, course, make_console(), load_spoiled(home))
    return 0


def _show(report: Report, form: str, output: str | None, shape: Shape) -> None:
    if form == "text" and output is None:
        from grader.cli.hosting import given_page
        from grader.views.terminal import print_report

        if (page := given_page()) is not None:
            page.show(report, shape)

        print_report(report, make_console(), verbose=shape.verbose)
        return
    text = FORMATS[form](report, shape)
    if output is None:
        write(text)
    else:
        save(Path(output), text)
