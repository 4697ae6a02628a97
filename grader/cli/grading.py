"""Grade phases, or show where the learner is, as `grade phase4` and `grade` do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.cli.commands import near_command
from grader.cli.formats import FORMATS, WHOLE
from grader.cli.hosting import current_host, current_page, start_reader
from grader.cli.places import SEED_VARIABLE, locate
from grader.cli.screen import waiting
from grader.cli.streams import make_console, save, write
from grader.curriculum.select import knows
from grader.errors import UsageError
from grader.model import Verdict, Visibility

if TYPE_CHECKING:
    from grader.cli.trace import FailureTrace
    from grader.curriculum.model import Course
    from grader.judge.grade import Selection
    from grader.learner.status import Status
    from grader.model import Report


OWN = ("the whole story: grade why", "try it yourself: grade try", "stuck? grade hint")


class Options(NamedTuple):
    """The options of a grading, as in `grade --help`."""

    path: str | None = None
    form: str = "text"
    output: str | None = None
    seed: int | None = None
    secret_seed: int | None = None
    isolation: int = 3
    required: int = 0
    reveal: Visibility = Visibility.VISIBLE
    swap: str = ""
    adapter: str | None = None
    isolate: bool = False
    packages: tuple[str, ...] = ()
    shows_output: bool = False
    opened: bool = False
    verbose: bool = False

    @property
    def is_screen(self) -> bool:
        """Return whether the report goes to the terminal, or wherever its text is redirected."""
        return self.form == "text" and self.output is None


def perform(course: Course, phases: Sequence[str], options: Options) -> int:
    """Grade these phases, or show where the learner is. Print the result; return an exit code."""
    _refuse_misspelt(course, phases)
    _refuse_contradictions(options)
    where, home = locate(course, options.path)
    if not phases and options.form == "text" and options.adapter is None:
        from grader.learner.progress import load
        from grader.learner.status_screen import print_status

        status = _status(course, where, home)
        print_status(status, course, make_console(), load(home).solutions_seen)
        return 0
    from grader.judge.grade import select

    asked, trace = select(course, phases or ("all",)), None
    if options.opened:
        from grader.cli.trace import FailureTrace

        trace = FailureTrace(course, asked.checkpoints, options.reveal)
    report = _grade(where, course, asked, options, trace)
    own = home if _is_own(course, options) else None
    shown = report.revealed(options.reveal)
    if own is not None:
        shown, is_saved = _with_progress(shown, own)
        own = own if is_saved else None  # otherwise it is not known what comes next
    report, shown = report.only(asked.checkpoints), shown.only(asked.checkpoints)
    if options.form in WHOLE:
        shown = report
    if not shown.phases:
        raise UsageError("learners do not see these checkpoints", "add --reveal all to show them")
    _show(shown, course, options, OWN if own is not None else ("the whole story: add -v",))
    if trace is not None:
        trace.show(home, shown)
    # a checkpoint that could not be judged is an error, even if it is hidden
    code = 3 if report.exit_code == 3 else shown.exit_code
    is_printed = options.is_screen and current_page() is None
    if own is not None and is_printed and (code == 0 or _is_to_be_written(shown)):
        _print_what_next(course, own, passed=shown.phases[-1].id if code == 0 else "")
    return code


def grade_again(course: Course, words: Sequence[str], path: str | None = None) -> Report:
    """Return a report on these phases or checkpoints as learners see it. Nothing is saved."""
    from grader.judge.grade import select

    asked = select(course, words)
    report = _grade(locate(course, path)[0], course, asked, Options(path), None)
    return report.revealed().only(asked.checkpoints)


def _grade(
    where: str, course: Course, asked: Selection, options: Options, trace: FailureTrace | None
) -> Report:
    """Return the report, without its seed if that is secret."""
    from grader.judge.grade import Request, grade_request, select_swapped
    from grader.judge.job import DEFAULT_SEED, Caches

    page, adapter = current_page(), None
    is_secret = options.secret_seed is not None
    seed = options.secret_seed if is_secret else options.seed
    if options.adapter is not None:  # one inside a submission must not decide how it is graded
        from grader.intake.adapter import read_adapter

        adapter = read_adapter(Path(options.adapter))
    with waiting(wanted=options.is_screen) as tell:
        request = Request(
            course,
            asked,
            seed=DEFAULT_SEED if seed is None else seed,
            isolation=options.isolation,
            require_isolation=options.required,
            swap=select_swapped(course, options.swap),
            isolate=options.isolate,
            packages=options.packages,
            shows_output=options.shows_output,
            host=current_host(),
            adapter=adapter,
            tell=page.tell if page is not None else tell,
            look=trace.look if trace else None,
            prove=1,
            caches=page.caches if page is not None else Caches(),
        )
        report = grade_request(where, request)
    return replace(report, seed=None) if is_secret else report


def _is_own(course: Course, options: Options) -> bool:
    """Return whether the result says something about the learner's own progress."""
    is_visible = options.reveal is Visibility.VISIBLE
    return is_visible and not (
        options.swap or options.isolate or options.packages or course.private
    )


def _refuse_misspelt(course: Course, words: Sequence[str]) -> None:
    """Raise UsageError if the first word is not a phase but almost a command."""
    if words and not knows(course.stages, words[0]) and (hint := near_command(words[0])):
        raise UsageError(f"there is no command or phase {words[0]!r}", hint)


def _is_to_be_written(report: Report) -> bool:
    """Return whether every checkpoint that does not pass is simply not written yet."""
    verdicts = {result.verdict for result in report.checkpoints if result.counts}
    return Verdict.NOT_STARTED in verdicts and verdicts <= {Verdict.NOT_STARTED, Verdict.PASSED}


def _with_progress(report: Report, home: Path) -> tuple[Report, bool]:
    """Return the report, compared with the last ones, and whether its progress is saved."""
    from grader.learner.progress import FOLDER, load, save_progress, with_regressions

    report = with_regressions(report, load(home).phases)
    if unsaved := save_progress(home, report):
        note = f"your progress is not saved, because {FOLDER} cannot be written: {unsaved}"
        report = replace(report, notes=(*report.notes, note))
    return report, not unsaved


def _refuse_contradictions(options: Options) -> None:
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


def _print_what_next(course: Course, home: Path, passed: str) -> None:
    """Print what to look at after a phase that `passed`, if one did, and what to do next."""
    from grader.learner.status_screen import print_after, print_next

    console = make_console()
    if passed:
        print_after(course.stage(passed), course, console)
    print_next(_status(course, str(home), home), course, console)


def _status(course: Course, where: str, home: Path | None) -> Status:
    from grader.intake.read import read_submission
    from grader.learner.progress import load
    from grader.learner.status import find_status

    submission = read_submission(where, course.files, start_reader)
    return find_status(course, submission, load(home).phases)


def _show(report: Report, course: Course, options: Options, commands: Sequence[str]) -> None:
    if options.is_screen and (page := current_page()) is not None:
        page.show(report)
    elif options.is_screen:
        from grader.views.terminal import print_report

        print_report(report, make_console(), verbose=options.verbose, commands=commands)
    else:
        text = FORMATS[options.form](report, course.title, options)
        if options.output is None:
            write(text)
        else:
            save(Path(options.output), text)
