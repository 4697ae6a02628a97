"""Find the subcommand with click. `grade phase4` means `grade run phase4`."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click
from click.shell_completion import CompletionItem, shell_complete

from grader import __version__
from grader.cli.commands import (
    COMMANDS,
    COMPLETION_VARIABLE,
    LEARNING,
    TEACHING,
    RunOrCommand,
    load_command,
)
from grader.cli.options import EPILOG, complete_phases
from grader.errors import UsageError


class _Commands(RunOrCommand):
    """The commands, imported one by one, and the options of grading, which needs no name."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        return load_command(name) if name in COMMANDS else None

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
        for heading, names in (("Commands", LEARNING), ("For teaching", TEACHING)):
            listed = [(name, load_command(name).get_short_help_str(limit=70)) for name in names]
            with formatter.section(heading):
                formatter.write_dl(listed)


@click.group(
    cls=_Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[PHASES]...  or  COMMAND",
    no_args_is_help=False,
)
@click.version_option(__version__, prog_name="grade")
def commands() -> None:
    """Grade an autograd engine, phase by phase, and explain why a checkpoint fails."""


def run_group(args: Sequence[str]) -> int:
    """Run a command and return its exit code, 0 unless the command itself returns another.

    Raise GraderError for wrong usage.
    """
    try:
        if asked := os.environ.get(COMPLETION_VARIABLE):  # a shell asks for completions
            return shell_complete(commands, {}, "grade", COMPLETION_VARIABLE, asked)
        # not `main`, which ends the process if nobody reads its output
        with commands.make_context("grade", list(args)) as context:
            return commands.invoke(context) or 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.ClickException as error:
        where, path = getattr(error, "ctx", None), "grade"
        if where is not None and where.command.name != "run":
            path = where.command_path
        raise UsageError(error.format_message(), f"see {path} --help") from error
