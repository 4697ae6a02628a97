"""Grade phases, or show where the learner is, as `grade phase4` and `grade` do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from grader.cli.commands import near_command
from grader.cli.formats import FORMATS, WHOLE
from grader.cli.hosting import HOST, current_page, host_of_command
from grader.cli.places import SEED_VARIABLE, locate
from grader.cli.screen import waiting
from grader.cli.streams import make_console, save, write
from grader.curriculum.select import knows
from grader.errors import UsageError
from grader.model import Verdict, Visibility

if TYPE_CHECKING:
    from grader.curriculum.model import Course, Stage
    from grader.judge.grade import Request, Selection
    from grader.learner.status import Status
    from grader.model import Report


OWN = ("the whole story: grade why", "try it yourself: grade try", "stuck? grade hint")


def perform(course: Course, phases: Sequence[str], options: SimpleNamespace) -> int:
    """Grade these phases with the options of `grade --help`, or show where the learner is. Print
    the result and return an exit code.
    """
    _refuse_misspelt(course, phases)
    _refuse_contradictions(options)
    where, home = locate(course, options.path)
    if not phases and options.form == "text" and options.adapter is None:
        from grader.learner.progress import load
        from grader.learner.status_screen import print_status

        status = status_of(course, where, home)
        print_status(status, course, make_console(), load(home).solutions_seen)
        return 0
    from grader.judge.grade import select

    asked, trace = select(course, phases or ("all",)), None
    request, is_screen = _request(course, asked, options), _is_screen(options)
    if options.opened:
        from grader.cli.trace import FailureTrace

        trace = FailureTrace(course, asked.checkpoints, options.reveal)
        request = replace(request, look=trace.look)
    report = grade_now(where, request, is_screen=is_screen)
    if options.secret_seed is not None:
        report = replace(report, seed=None)
    # other gradings say nothing about the progress; unless it is saved, nobody knows what is next
    is_usual = not (options.swap or options.isolate or options.packages or course.private)
    own = home if is_usual and options.reveal is Visibility.VISIBLE else None
    shown, own = with_progress(report.revealed(options.reveal), own)
    report, shown = report.only(asked.checkpoints), shown.only(asked.checkpoints)
    if options.form in WHOLE:
        shown = report
    if not shown.phases:
        raise UsageError("learners do not see these checkpoints", "add --reveal all to show them")
    _show(shown, course, options, OWN if own is not None else ("the whole story: add -v",))
    if trace is not None:
        trace.show(home)
    # a checkpoint that could not be judged is an error, even if it is hidden
    code = 3 if report.exit_code == 3 else shown.exit_code
    is_printed = is_screen and current_page() is None
    if own is not None and is_printed and (code == 0 or _is_to_be_written(shown)):
        from grader.learner.status_screen import advice, after
        from grader.views.console import print_commands

        console = make_console()
        console.print()
        if code == 0:
            print_commands(after(course.stage(shown.phases[-1].id), course), console)
        print_commands(advice(status_of(course, own, own), course, console), console)
    return code


def grade_again(course: Course, words: Sequence[str], path: str | None = None) -> Report:
    """Return a report on these phases or checkpoints as learners see it. Nothing is saved."""
    from grader.judge.grade import Request, select

    asked = select(course, words)
    report = grade_now(locate(course, path)[0], Request(course, asked))
    return report.revealed().only(asked.checkpoints)


def _request(course: Course, asked: Selection, options: SimpleNamespace) -> Request:
    """Return the request that the options describe."""
    from grader.judge.grade import Request, select_swapped
    from grader.judge.job import DEFAULT_SEED

    adapter, seed = None, options.seed if options.secret_seed is None else options.secret_seed
    if options.adapter is not None:  # one inside a submission must not decide how it is graded
        from grader.intake.adapter import read_adapter

        adapter = read_adapter(Path(options.adapter))
    return Request(
        course,
        asked,
        seed=DEFAULT_SEED if seed is None else seed,
        isolation=options.isolation,
        require_isolation=options.required,
        swap=select_swapped(course, options.swap),
        isolate=options.isolate,
        packages=options.packages,
        shows_output=options.shows_output,
        adapter=adapter,
    )


def grade_now(where: str | Path, request: Request, *, is_screen: bool = True) -> Report:
    """Return the report, looking for a change that fixes the first failure."""
    from grader.judge.grade import grade_request

    page = current_page()
    with waiting(wanted=is_screen) as tell:
        request = replace(request, host=HOST.get(), tell=tell, prove=1)
        if page is not None:
            request = replace(request, tell=page.tell, caches=page.caches)
        return grade_request(where, request)


def _is_screen(options: SimpleNamespace) -> bool:
    """Return whether the report goes to the terminal, or wherever its text is redirected."""
    return options.form == "text" and options.output is None


def _refuse_misspelt(course: Course, words: Sequence[str]) -> None:
    """Raise UsageError if the first word is not a phase but almost a command."""
    if words and not knows(course.stages, words[0]) and (hint := near_command(words[0])):
        raise UsageError(f"there is no command or phase {words[0]!r}", hint)


def _is_to_be_written(report: Report) -> bool:
    """Return whether every checkpoint that does not pass is simply not written yet."""
    verdicts = {result.verdict for result in report.checkpoints if not result.bonus}
    return Verdict.NOT_STARTED in verdicts and verdicts <= {Verdict.NOT_STARTED, Verdict.PASSED}


def with_progress(report: Report, home: Path | None) -> tuple[Report, Path | None]:
    """Return the report, compared with the last ones, and the folder where its progress is saved,
    if it is.
    """
    if home is None:
        return report, None
    from grader.learner.progress import FOLDER, load, save_progress, with_regressions

    report = with_regressions(report, load(home).phases)
    if unsaved := save_progress(home, report):
        note = f"your progress is not saved, because {FOLDER} cannot be written: {unsaved}"
        report = replace(report, notes=(*report.notes, note))
    return report, None if unsaved else home


def _refuse_contradictions(options: SimpleNamespace) -> None:
    """Raise UsageError for options that exclude each other."""
    adapter, secret = options.adapter is not None, options.secret_seed is not None
    exclusive = {
        "--swap and --isolate": (options.swap, options.isolate),
        "--swap and --adapter": (options.swap, adapter),
        "--isolate and --adapter": (options.isolate, adapter),
        "--open and --adapter": (options.opened, adapter),
        f"--seed and --secret-seed (or {SEED_VARIABLE})": (options.seed is not None, secret),
    }
    for names, given in exclusive.items():
        if all(given):
            raise UsageError(f"{names} cannot be combined", "use only one of them")
    if adapter and options.path is None:
        raise UsageError(
            "--adapter needs --at, which names the engine",
            "for example: grade all --at some/engine.py --adapter adapter.toml",
        )


def status_of(
    course: Course, where: str | Path, home: Path | None, stage: Stage | None = None
) -> Status:
    """Return where the learner is in the course, or in a `stage` of it. Nothing is graded."""
    from grader.intake.read import read_submission
    from grader.learner.progress import load
    from grader.learner.status import find_status

    submission = read_submission(where, course.files, host_of_command().worker)
    return find_status(course, submission, load(home), stage)


def _show(
    report: Report, course: Course, options: SimpleNamespace, commands: Sequence[str]
) -> None:
    if not _is_screen(options):
        text = FORMATS[options.form](report, course.title, options)
        if options.output is None:
            write(text)
        else:
            save(Path(options.output), text)
    elif (page := current_page()) is not None:
        page.show(report)
    else:
        from grader.views.terminal import print_report

        print_report(report, make_console(), verbose=options.verbose, commands=commands)
