"""Run the `grade` command: find the subcommand, show errors, exit. Nothing else exits.

Exit codes: 0 if all requested checkpoints pass (a bonus may fail), 1 if some do not, 2 for wrong
usage or a submission that cannot be read, 3 if something could not be judged, which is the kit's
fault.

The exit code is what the command returns after all its output is written. Nothing else ends with 0:
no exception, and no dependency that calls `sys.exit()`.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from grader import __version__
from grader.boundary.private_process import keep_others_out
from grader.boundary.transport import Host
from grader.cli.commands import COMMANDS, LEARNING, TEACHING, load_command
from grader.cli.options import EPILOG, complete_phases, write
from grader.cli.streams import watch_streams
from grader.errors import GraderError, InternalError, OutputError

COMPLETION_VARIABLE = "_GRADE_COMPLETE"  # the name that click uses
OWN_OPTIONS = ("--help", "-h", "--version")


class _PhasesOrCommand(click.Group):
    """Treat the words as phases unless the first one is a command.

    `grade phase4` means `grade run phase4`.
    """

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        return load_command(name) if name in COMMANDS else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_first_word_open = ctx.resilient_parsing and not args  # a shell asks for completions
        if not is_first_word_open and {*args[:1]}.isdisjoint((*COMMANDS, *OWN_OPTIONS)):
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the first word: a command, an option of grading or a phase."""
        run = load_command("run")
        found = [
            *super().shell_complete(ctx, incomplete),
            *run.shell_complete(ctx, incomplete),
            *complete_phases(ctx, None, incomplete),
        ]
        return list({item.value: item for item in found}.values())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [*load_command("run").params, *self.get_params(ctx)]
        rows = [row for option in options if (row := option.get_help_record(ctx))]
        with formatter.section("Grading options"):
            formatter.write_dl(rows)
        learning = [name for name in LEARNING if name != "solution" or _has_solutions()]
        for heading, names in (("Commands", learning), ("For teaching", [*TEACHING])):
            listed = [(name, load_command(name).get_short_help_str(limit=70)) for name in names]
            with formatter.section(heading):
                formatter.write_dl(listed)


def _has_solutions() -> bool:
    """Return whether the course has solutions to show, or cannot be read."""
    from grader.cli.options import VARIABLE
    from grader.curriculum.load import load_course
    from grader.curriculum.model import DEFAULT_COURSE

    with suppress(GraderError):
        return load_course(Path(os.environ.get(VARIABLE, DEFAULT_COURSE))).has_solutions
    return True


@click.group(
    cls=_PhasesOrCommand,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[PHASES]...  or  COMMAND",
)
@click.version_option(__version__, prog_name="grade")
def commands() -> None:
    """Grade an autograd engine, phase by phase, and explain why a checkpoint fails."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(50_000, 20, 20)  # a short-lived process, most of it spent importing
    keep_others_out()
    signals: list[int] = []

    def stop(number: int, _frame: object) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):  # handled so that workers end and folders are removed
        number = getattr(signal, name, None)
        if (
            number is not None and signal.getsignal(number) is not signal.SIG_IGN
        ):  # `nohup` starts it like this
            signal.signal(number, stop)
    watch_streams()
    code = run(args)
    _leave(128 + signals[0] if signals else code)


def _leave(code: int) -> NoReturn:
    """Exit without tearing down a thousand modules, which takes as long as a phase.

    Nothing is left open here.
    """
    for stream in (sys.stdout, sys.stderr):
        # what is not written by now never will be
        with suppress(OSError, ValueError, OutputError):
            stream.flush()
    os._exit(code)


def run(args: list[str], host: Host | None = None) -> int:
    """Run a command and return its exit code. A given `host` makes its workers."""
    try:
        return _run(args, host)
    except OutputError as error:  # also from printing a refusal
        return _unwritten(error)


def _run(args: list[str], host: Host | None) -> int:
    try:
        code = _perform(args, host)
        sys.stdout.flush()
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
    except OutputError:
        raise
    except OSError as error:
        return _refuse(_from_system(error), args)
    except (
        Exception,
        SystemExit,
        # the last resort: learners never see the kit's own frames, and only a command ends the
        # process
    ) as error:
        if os.environ.get("GRADE_DEBUG"):
            raise
        failure = InternalError(
            f"the grader failed: {type(error).__name__}: {error}",
            "run it again with GRADE_DEBUG=1, and report the traceback",
        )
        return _refuse(failure, args)
    if type(code) is not int:
        return _refuse(
            InternalError(
                f"the grader failed: the command returned {code!r}", "please report the command"
            ),
            args,
        )
    return code


def _perform(args: list[str], host: Host | None) -> object:
    if asked := os.environ.get(COMPLETION_VARIABLE):  # a shell asks for completions
        return shell_complete(commands, {}, "grade", COMPLETION_VARIABLE, asked)
    return commands.main(args=args, prog_name="grade", standalone_mode=False, obj=host)


def _unwritten(error: OutputError) -> int:
    """Report that the output cannot be written, if anybody can still read that.

    Then let Python close its streams without an error.
    """
    if error.reason:
        click.echo(f"error: the report cannot be written: {error.reason}", err=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 3 if error.reason else 1


def _from_system(error: OSError) -> GraderError:
    """Name the file that cannot be used, or the request that the system refuses."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return InternalError(
            f"the system refused a request from the grader: {reason}",
            "close other programs, or free memory and disk space; GRADE_DEBUG=1 shows where",
        )
    return UnusableFile(
        f"{os.fsdecode(error.filename)!r} cannot be used: {reason}",
        "check its permissions and those of its folder",
    )


class UnusableFile(GraderError):
    """The system does not allow the use of a file or folder."""


class GraderErrorFromClick(GraderError):
    """Wrong usage, found by the command line library."""

    exit_code = 2

    def __init__(self, error: click.ClickException) -> None:
        context = error.ctx if isinstance(error, click.UsageError) else None
        path = (
            context.command_path
            if context is not None and context.command.name != "run"
            else "grade"
        )
        super().__init__(error.format_message(), f"see {path} --help")


def _refuse(error: GraderError, args: Sequence[str]) -> int:
    if " --format json " in f" {' '.join(args)} " or "--format=json" in args:
        from grader.views.json import error_to_json

        write(error_to_json(error))
        return error.exit_code
    from grader.text import safe

    click.echo(f"error: {safe(error.message)}", err=True)
    if error.hint:
        click.echo(f"hint: {safe(error.hint)}", err=True)
    return error.exit_code


if __name__ == "__main__":
    main()
