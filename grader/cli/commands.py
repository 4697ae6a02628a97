"""List the commands by name, each with its module in `grader.cli` and its function."""

from __future__ import annotations

import pkgutil

import click

# in the order of the course
LEARNING = {
    "init": "init:init",
    "list": "list:list_",
    "watch": "watch:watch",
    "why": "why:why",
    "try": "why:try_",
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
COMPLETION_VARIABLE = "_GRADE_COMPLETE"  # the name that click uses
COMMANDS = {"run": "run:run", **LEARNING, **TEACHING}
ELSEWHERE = {
    "help": "grade --help lists the commands",
    "status": "grade without arguments shows where you stand",
}


OWN_OPTIONS = ("--help", "-h", "--version")


class RunOrCommand(click.Group):
    """Treat the words as arguments of `run` unless the first one is a command.

    `grade phase4` means `grade run phase4`, `grade class handed-in` means `grade class run
    handed-in`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, after `run` unless they name a command."""
        # without words, a shell may ask for completions
        is_run = args or not (self.no_args_is_help or ctx.resilient_parsing)
        if is_run and {*args[:1]}.isdisjoint((*self.list_commands(ctx), *OWN_OPTIONS)):
            args = ["run", *args]
        return super().parse_args(ctx, args)


def load_command(name: str) -> click.Command:
    """Import a command, and only this one."""
    command: click.Command = pkgutil.resolve_name(f"grader.cli.{COMMANDS[name]}")
    return command


def near_command(word: str) -> str:
    """Return a hint at the most similar command, or an empty string."""
    from difflib import get_close_matches

    near = get_close_matches(word, [*LEARNING, *TEACHING], 1, 0.75)
    return ELSEWHERE.get(word) or "".join(f"did you mean grade {command}?" for command in near)
