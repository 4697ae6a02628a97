"""The `grade` command. The one place that prints and the one place that exits.

Exit codes: 0 all asked-for checkpoints pass (a bonus may fail), 1 some do not, 2 wrong usage or a submission that cannot
be read, 3 our own fault: something could not be judged.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from grader import __version__
from grader.errors import GraderError, InternalError, SubmissionError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.courses import Course
    from grader.model import Report

MIN_WIDTH = 20
QUESTIONS = 8
EXERCISES = "exercises"
_EPILOG = """\b
examples
  grade                      where you stand, and what is next
  grade phase4               grade one phase; also 4, 1-4, phase1 phase3
  grade phase4.seed          one checkpoint of it
  grade all extras           all phases, and the optional ones
  grade all --at solutions   grade another folder or file
  grade phase4 --format json

\b
exit codes
  0  all asked-for checkpoints pass
  1  some do not
  2  wrong usage, or a submission that cannot be read
  3  the grader's own fault, or less isolation than required
"""


class _PhasesOrCommand(click.Group):
    """What is no command is a phase: `grade phase4` means `grade run phase4`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in {"--help", "-h", "--version"}):
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        run = self.commands["run"]
        rows = [row for parameter in run.get_params(ctx) if (row := parameter.get_help_record(ctx))]
        with formatter.section("Options"):
            formatter.write_dl(rows)
        self.format_commands(ctx, formatter)


@click.group(
    cls=_PhasesOrCommand,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[PHASES]...  or  COMMAND",
)
@click.version_option(__version__, prog_name="grade")
def commands() -> None:
    """Grade an autograd engine, phase by phase, and say why a checkpoint fails."""


@commands.command(hidden=True, epilog=_EPILOG)
@click.argument("phases", nargs=-1)
@click.option("--at", "path", metavar="PATH", help="Grade this folder or file instead of your exercises.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print the report.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Draw other random graphs.")
@click.option("--isolation", type=click.IntRange(0, 3), default=3, metavar="N", help="Wall your code off at most so far: 0 to 3.")
@click.option("--require-isolation", "required", type=click.IntRange(0, 3), default=0, metavar="N", help="Refuse to grade with less.")
@click.option("--verbose", "-v", is_flag=True, help="Show everything: frames, prints, the names of checkpoints.")
def run(  # noqa: PLR0913, PLR0917 - one for each option
    phases: tuple[str, ...], path: str | None, form: str, seed: int | None, isolation: int, required: int, *, verbose: bool
) -> int:
    """Grade PHASES (phase4, 4, 1-4, all) or checkpoints (phase4.seed); without any, say where you stand."""
    from grader.courses import load_course

    course = load_course()
    where, home = _locate(course, path)
    if not phases and form == "text":
        return _status(course, where, home)
    from grader.conditions import DEFAULT_SEED
    from grader.grading import grade

    words = phases or ("all",)
    report = grade(
        where, [word.partition(".")[0] for word in words], seed=DEFAULT_SEED if seed is None else seed, course=course,
        isolation=isolation, require_isolation=required,
    )  # fmt: skip
    if home is not None:
        from grader.progress import load_progress, save_progress, with_regressions

        report = with_regressions(report, load_progress(home))
        save_progress(home, report)
    report = report.only(course.select_checkpoints(words))
    _show(report, form, verbose=verbose)
    if home is not None and form == "text" and report.exit_code == 0:
        _status(course, where, home, brief=True)
    return report.exit_code


@commands.command()
@click.argument("phase", required=False)
@click.option("--all", "everything", is_flag=True, help="Show all four levels.")
@click.option("--again", is_flag=True, help="Show the levels that are open, and open no other.")
@click.option("--symptom", "symptom", metavar="TEXT", help="Look for what you see: an error message, 'half', 'loss'.")
@click.option("--symptoms", is_flag=True, help="List all symptoms.")
def hint(phase: str | None, symptom: str | None, *, everything: bool, again: bool, symptoms: bool) -> int:
    """Open the next of four hints: idea, direction, specific, code. Nothing is lost by it.

    Examples: grade hint phase4; grade hint --symptom "gradient is half"
    """
    from grader.courses import HINT_LEVELS, load_course
    from grader.progress import load_hints, load_progress, save_hints
    from grader.reports.course import print_hints

    course = load_course()
    if symptom is not None or symptoms:
        return _symptoms(course, symptom, course.select([phase])[0].id if phase else "")
    home = _home(course)
    known = load_progress(home)
    if phase is None:
        open_stages = [s for s in course.stages if s.id not in known or not known[s.id].done]
        stage = (open_stages or list(course.stages))[0]
    else:
        stage = course.select([phase])[0]
    opened = load_hints(home)
    count = len(HINT_LEVELS) if everything else min(opened.get(stage.id, 0) + (not again), len(HINT_LEVELS))
    if home is not None:
        save_hints(home, {**opened, stage.id: count})
    print_hints(stage, count, known[stage.id].open if stage.id in known else "", _console())
    return 0


def _symptoms(course: Course, text: str | None, phase: str) -> int:
    from grader.questions import load_quiz
    from grader.reports.course import print_symptoms
    from grader.symptoms import find_symptoms

    known = load_quiz(course)
    found = known.symptoms if text is None else find_symptoms(known, text)
    if phase:
        found = tuple(symptom for symptom in found if any(cause.phase == phase for cause in symptom.causes))
    if phase and not found:
        click.echo(f"nothing like that is known of {phase}; leave the phase out to look through all")
        return 1
    print_symptoms(found, _console(), brief=text is None)
    return 0 if found else 1


@commands.command()
@click.argument("about", metavar="[PHASES OR ITEMS]...", nargs=-1)
@click.option("--count", type=click.IntRange(1), default=QUESTIONS, show_default=True, help="How many questions.")
@click.option("--seed", type=click.IntRange(0), help="Repeat a session: the seed that it printed.")
def quiz(about: tuple[str, ...], count: int, seed: int | None) -> int:
    """Questions about what you build, many with numbers drawn anew. An explanation after every answer; an empty line stops.

    Right answers tick items of the checklist, whose names can be given in place of phases.

    Examples: grade quiz phase4 --count 5; grade quiz understanding-modes
    """
    import random

    from grader.courses import load_course
    from grader.progress import load_right, save_right
    from grader.questions import load_quiz
    from grader.quiz import draw_session
    from grader.reports.quiz import hold_session

    course = load_course()
    known, home = load_quiz(course), _home(course)
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    items = [word for word in about if word in known.checklist]
    words = [word for word in about if word not in known.checklist]
    phases = [stage.id for stage in course.select(words)] if words else []
    session = draw_session(known, random.Random(chosen), count, phases, items)
    answers = []
    for asked, correct in hold_session(session, _console(), _answer):
        answers.append(correct)
        if home is not None:
            save_right(home, {*load_right(home)} - {asked.question.id} | ({asked.question.id} if correct else set()))
    stopped = "" if len(answers) == len(session) else "stopped: "
    again = ["grade quiz", *about, *([] if count == QUESTIONS else [f"--count {count}"]), f"--seed {chosen}"]
    click.echo(f"{stopped}{sum(answers)} of {len(answers)} right. Again: {' '.join(again)}")
    return 0


def _answer() -> str:
    """What is typed; nothing at the end of the input, or where it is interrupted."""
    try:
        return str(click.prompt("answer", default="", show_default=False))
    except click.Abort:
        click.echo()
        return ""


@commands.command()
@click.option("--at", "path", metavar="PATH", help="Compare with this folder or file instead of your exercises.")
@click.option("--tick", metavar="NAME", multiple=True, help="Give your own word for an item.")
@click.option("--untick", metavar="NAME", multiple=True, help="Take it back.")
def checklist(path: str | None, tick: tuple[str, ...], untick: tuple[str, ...]) -> int:
    """Show what you can do. Items tick themselves: by checkpoints that pass, by the quiz; for some you give your own word.

    Examples: grade checklist; grade checklist --tick like-pytorch
    """
    from grader.checklist import Known, find_items, refuse_what_code_proves
    from grader.courses import load_course
    from grader.progress import load_progress, load_right, load_ticked, save_ticked
    from grader.questions import load_quiz
    from grader.reports.course import print_checklist
    from grader.submission import read_submission

    course = load_course()
    questions = load_quiz(course)
    refuse_what_code_proves(course, questions, (*tick, *untick))
    where, home = _locate(course, path)
    if tick or untick:
        if home is None:
            raise UsageError(f"nothing is kept for {where!r}", "leave --at out: your word is kept beside your own code")
        save_ticked(home, {*load_ticked(home), *tick} - {*untick})
    known = Known(load_progress(home), load_right(home), load_ticked(home))
    print_checklist(find_items(course, questions, known, read_submission(where, course.files)), _console())
    return 0


@commands.group()
def dev() -> None:
    """For those who build the course."""


@dev.command()
@click.option("--repeat", type=click.IntRange(1), default=1, help="Gradings of each faulty engine, and as many mirrored.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use; all cores unless told.")
@click.option("--write", is_flag=True, help="Write the table into docs/what-the-suites-catch.md.")
def check(repeat: int, jobs: int | None, *, write: bool) -> int:
    """Prove the course: stubs fail, solutions pass, every faulty engine is caught where promised.

    Example: grade dev check --repeat 25
    """
    from grader.audit import audit
    from grader.courses import load_course
    from grader.reports.caught import caught_table

    found = audit(load_course(), repeat=repeat, jobs=jobs, tell=click.echo)
    if write:
        Path("docs/what-the-suites-catch.md").write_text(caught_table(found.caught), encoding="utf-8")
    for entry in found.caught:
        click.echo(f"{'x' if entry.problems else '+'} {entry.faulty.id}: {', '.join(entry.failed[:1]) or 'not caught'}")
    for problem in found.problems:
        click.echo(f"problem: {problem}", err=True)
    click.echo(f"{len(found.caught)} faulty engines, {found.gradings} gradings, {len(found.problems)} problems")
    return 1 if found.problems else 0


def _locate(course: Course, path: str | None) -> tuple[str, Path | None]:
    """What to grade, and the folder beside it that keeps the learner's progress. For a path that was named none is begun."""
    from grader.progress import is_kept_in, move_progress

    if path is not None:
        folder = Path(path) if os.path.isdir(path) else Path(path).parent  # noqa: PTH112 - as in read_submission
        return path, folder if is_kept_in(folder) else None
    for where in (EXERCISES, "."):
        if Path(where, course.files[0]).exists():
            home = Path(where)
            if home.resolve().name == EXERCISES:
                move_progress(home / os.pardir, home)  # where it was kept once
            return where, home
    raise SubmissionError(
        f"there is no {course.files[0]} here, nor in a folder called {EXERCISES}",
        "go to the folder of the course, or name your code: grade phase1 --at PATH",
    )


def _home(course: Course) -> Path | None:
    """The folder that keeps the learner's progress, if there is code of theirs in reach."""
    with suppress(SubmissionError):
        return _locate(course, None)[1]
    return None


def _status(course: Course, where: str, home: Path | None, *, brief: bool = False) -> int:
    from grader.progress import load_progress
    from grader.reports.path import print_next, print_status
    from grader.status import find_status
    from grader.submission import read_submission

    status = find_status(course, read_submission(where, course.files), load_progress(home))
    (print_next if brief else print_status)(status, course, _console())
    return 0


def _show(report: Report, form: str, *, verbose: bool) -> None:
    if form == "json":
        from grader.reports.as_json import to_json

        _write(to_json(report))
        return
    from grader.reports.terminal import print_report

    print_report(report, _console(), verbose=verbose)


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=False)
    if console.width < MIN_WIDTH:
        console.width = 80
    return console


class ClosedOutput(Exception):
    """There is no standard output."""


def _unwritten(message: str) -> int:
    """Nobody reads the report: say so where that is possible, and let Python close its streams in peace."""
    if message:
        click.echo(message, err=True)
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 3 if message else 1


def _write(text: str) -> None:
    if sys.stdout is None:
        raise ClosedOutput
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(50_000, 20, 20)  # a short life, most of it spent importing
    signals: list[int] = []

    def stop(number: int, _frame: object) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):  # so that workers are ended and folders removed
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    code = _main(args)
    _leave(128 + signals[0] if signals else code)


def _leave(code: int) -> NoReturn:
    """Exit without taking a thousand modules apart first: that takes as long as a phase. Nothing is left open here."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # there may be none
            stream.flush()
    os._exit(code)


def _main(args: list[str]) -> int:
    try:
        code: Any = commands.main(args=args, prog_name="grade", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return 130
    except click.ClickException as error:
        return _refuse(GraderErrorFromClick(error), args)
    except GraderError as error:
        return _refuse(error, args)
    except (BrokenPipeError, ClosedOutput):
        return _unwritten("")
    except OSError as error:
        return _unwritten(f"error: the report cannot be written: {error.strerror}")
    except Exception as error:  # the last resort: a learner never sees our frames
        if os.environ.get("GRADE_DEBUG"):
            raise
        told = InternalError(f"the grader failed: {type(error).__name__}: {error}", "set GRADE_DEBUG=1 and report what it says")
        return _refuse(told, args)


class GraderErrorFromClick(GraderError):
    """Wrong usage, as the command line library found it."""

    exit_code = 2

    def __init__(self, error: click.ClickException) -> None:
        super().__init__(error.format_message(), "see grade --help")


def _refuse(error: GraderError, args: Sequence[str]) -> int:
    if " --format json " in f" {' '.join(args)} " or "--format=json" in args:
        from grader.reports.as_json import error_to_json

        _write(error_to_json(error))
        return error.exit_code
    from grader.reports.text import safe

    click.echo(f"error: {safe(error.message)}", err=True)
    if error.hint:
        click.echo(f"hint: {safe(error.hint)}", err=True)
    return error.exit_code


if __name__ == "__main__":
    main()
