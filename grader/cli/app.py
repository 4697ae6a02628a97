"""The `grade` command: which subcommand is meant, and what an error looks like. The one place that
exits.

Exit codes: 0 all asked-for checkpoints pass (a bonus may fail), 1 some do not, 2 wrong usage or a
submission that cannot
be read, 3 our own fault: something could not be judged.

The code is what the command returns, once all that it printed is written. Nothing else ends with 0:
not an exception, nor a
dependency that calls `sys.exit()`.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import click

from grader import __version__
from grader.boundary.private_process import keep_others_out
from grader.cli.options import EPILOG, the_course, write
from grader.cli.streams import watch_streams
from grader.errors import GraderError, InternalError, OutputError, UsageError

# each with the module in `grader.cli`, and the function in it; in the order in which one meets them
LEARNING = {
    "init": "init:init",
    "watch": "watch:watch",
    "hint": "hint:hint",
    "quiz": "quiz:quiz",
    "predict": "quiz:predict",
    "checklist": "checklist:checklist",
    "trace": "trace:trace",
    "solution": "solution:solution",
    "reset": "solution:reset",
    "undo": "solution:undo",
    "show": "show:show",
    "finish": "finish:finish",
    "notebook": "notebook:notebook",
    "doctor": "doctor:doctor",
}
TEACHING = {
    "class": "classroom:classroom",
    "export": "export:export",
    "adapt": "adapt:adapt",
    "dev": "dev:dev",
}
COMMANDS = {"run": "run:run", **LEARNING, **TEACHING}
ELSEWHERE = {
    "help": "grade --help lists the commands",
    "list": "grade alone lists the phases",
    "status": "grade alone says where you stand",
}


class _PhasesOrCommand(click.Group):
    """What is no command is a phase: `grade phase4` means `grade run phase4`. A command is imported
    when it is asked for.
    """

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, function = COMMANDS[name].partition(":")
        command: click.Command = getattr(importlib.import_module(f"grader.cli.{module}"), function)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if (
            not args
            or args[0] not in {*COMMANDS, "--help", "-h", "--version"}
            or self._is_phase(ctx, args)
        ):
            self._refuse_misspelt(ctx, args)
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelt(self, ctx: click.Context, args: list[str]) -> None:
        """What is no phase, and nearly a command: say which. Raises UsageError."""
        from difflib import get_close_matches

        word = args[0] if args else ""
        near = get_close_matches(word, [*LEARNING, *TEACHING], 1, 0.75)
        meant = ELSEWHERE.get(word) or "".join(f"did you mean grade {command}?" for command in near)
        run = self.get_command(ctx, "run")
        if not meant or run is None:
            return
        with (
            suppress(click.UsageError),
            run.make_context("run", list(args), resilient_parsing=True),
        ):
            if word not in {
                name
                for stage in the_course().stages
                for name in (stage.id, stage.id.removeprefix("phase"))
            }:
                raise UsageError(f"there is no command and no phase {word!r}", meant)

    def _is_phase(self, ctx: click.Context, args: list[str]) -> bool:
        """A command that cannot do without an argument, and has none, is the phase of that name, if
        there is one.
        """
        command, run = self.get_command(ctx, args[0]), self.get_command(ctx, "run")
        needs = command is not None and any(
            isinstance(part, click.Argument) and part.required for part in command.params
        )
        if not needs or run is None or {"--help", "-h"} & {*args}:
            return False
        try:
            with run.make_context("run", list(args), resilient_parsing=True) as context:
                return context.params["phases"] == (args[0],) and any(
                    stage.id == args[0] for stage in the_course().stages
                )
        except click.UsageError:  # an option that only the command has
            return False

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        run = self.get_command(ctx, "run")
        assert run is not None
        rows = [row for parameter in run.get_params(ctx) if (row := parameter.get_help_record(ctx))]
        with formatter.section("Options of grading"):
            formatter.write_dl(rows)
        for heading, names in (("Commands", LEARNING), ("For teaching", TEACHING)):
            listed = [
                (name, command.get_short_help_str(limit=70))
                for name in names
                if (command := self.get_command(ctx, name)) is not None
            ]
            with formatter.section(heading):
                formatter.write_dl(listed)


@click.group(
    cls=_PhasesOrCommand,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[PHASES]...  or  COMMAND",
)
@click.version_option(__version__, prog_name="grade")
def commands() -> None:
    """Grade an autograd engine, phase by phase, and say why a checkpoint fails."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(50_000, 20, 20)  # a short life, most of it spent importing
    keep_others_out()
    signals: list[int] = []

    def stop(number: int, _frame: object) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):  # so that workers are ended and folders removed
        number = getattr(signal, name, None)
        if (
            number is not None and signal.getsignal(number) is not signal.SIG_IGN
        ):  # as `nohup` starts it
            signal.signal(number, stop)
    watch_streams()
    code = _main(args)
    _leave(128 + signals[0] if signals else code)


def _leave(code: int) -> NoReturn:
    """Exit without taking a thousand modules apart first: that takes as long as a phase. Nothing is
    left open here.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, OutputError):  # what is not written by now never is
            stream.flush()
    os._exit(code)


def _main(args: list[str]) -> int:
    try:
        return _run(args)
    except OutputError as error:  # also of what a refusal prints
        return _unwritten(error)


def _run(args: list[str]) -> int:
    try:
        code: object = commands.main(args=args, prog_name="grade", standalone_mode=False)
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
        return _refuse(_told(error), args)
    except (
        Exception,
        SystemExit,
        # the last resort: a learner never sees our frames, and nothing but a command ends the
        # process
    ) as error:
        if os.environ.get("GRADE_DEBUG"):
            raise
        told = InternalError(
            f"the grader failed: {type(error).__name__}: {error}",
            "set GRADE_DEBUG=1 and report what it says",
        )
        return _refuse(told, args)
    if type(code) is not int:
        return _refuse(
            InternalError(
                f"the grader failed: the command ended with {code!r}", "report what you typed"
            ),
            args,
        )
    return code


def _unwritten(error: OutputError) -> int:
    """Say that the output cannot be written, if anybody is left to read that, and let Python close
    its streams in peace.
    """
    if error.reason:
        click.echo(f"error: the report cannot be written: {error.reason}", err=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 3 if error.reason else 1


def _told(error: OSError) -> GraderError:
    """A file that cannot be used is named; whatever else the system refuses is named as that."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return InternalError(
            f"the system refuses what the grader needs: {reason}",
            "close other programs, or free some memory and disk space; GRADE_DEBUG=1 says where",
        )
    return UnusableFile(
        f"{os.fsdecode(error.filename)!r} cannot be used: {reason}",
        "change its permissions, or those of its folder",
    )


class UnusableFile(GraderError):
    """A file or folder that the system does not let us use."""


class GraderErrorFromClick(GraderError):
    """Wrong usage, as the command line library found it."""

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
