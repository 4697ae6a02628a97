"""`grade solution`, `grade reset`, `grade undo`: show the reference, restore stubs, undo that."""

from __future__ import annotations

import click

from grader.cli.options import complete_phases, course_option, examples
from grader.cli.places import find_home, own_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course, Stage
from grader.errors import UsageError


@click.command(
    short_help="Show the reference next to your code, once yours passes.",
    epilog=examples("grade solution phase3", "grade solution phase3 --spoil"),
)
@click.argument("phase", shell_complete=complete_phases)
@click.option(
    "--spoil",
    is_flag=True,
    help="Show it before the phase passes. Your progress records that you did.",
)
@click.option("--session", hidden=True)  # the cells that a notebook has run
@course_option
def solution(phase: str, session: str | None, *, course: Course, spoil: bool) -> None:
    """Show the reference solution of PHASE next to your own, once yours passes."""
    from grader.judge.grade import grade
    from grader.learner.editing import beside_reference
    from grader.learner.progress import change_names, load

    stage = _one_stage(course, phase)
    course.require_solutions("grade solution", f"grade hint {stage.id} gives a hint")
    home = find_home(course)
    passed = load(home).was_done(stage.id)
    if session and not (passed or spoil):
        passed = grade(session, [stage.id], course=course).phases[0].done
    if not passed and not spoil:
        raise UsageError(
            f"{stage.id} does not pass yet"
            if home or session
            else f"there is no {stage.file} here, so it is unknown whether {stage.id} passes",
            f"grade hint {stage.id} gives a hint; grade solution {stage.id} --spoil shows"
            " it anyway",
        )
    if not passed and home is not None:
        change_names(home, "solutions_seen", [stage.id])
    for name, lines in beside_reference(course, home, stage).items():
        _print_function(name, lines)


def _print_function(name: str, lines: list[str]) -> None:
    """Print the reference's lines, and how the learner's differ unless they are a stub."""
    from rich.text import Text

    from grader.text import safe

    console = make_console()
    console.print(Text(name, style="bold"))
    if not lines:
        console.print(Text("  identical to yours\n", style="green"))
        return
    if any(line[0] != " " for line in lines):
        console.print(Text("  - yours, + the reference", style="dim"))
    for line in lines:
        style = {"-": "red", "+": "green"}.get(line[0], "")
        console.print(Text(f"  {line[0]} {safe(line[1:])}", style=style), soft_wrap=True)
    console.print()


@click.command(
    short_help="Reset a phase to its stubs; grade undo brings your code back.",
    epilog=examples("grade reset phase3"),
)
@click.argument("phase", shell_complete=complete_phases)
@course_option
def reset(phase: str, course: Course) -> None:
    """Put the stubs of PHASE back into your file. Your code is saved first, and `grade undo` brings
    it back.
    """
    from grader.learner.editing import reset as take_away

    stage, home = _one_stage(course, phase), own_home(course)
    saved = take_away(course, home, stage)
    click.echo(f"{home / stage.file} has the stubs of {stage.id} again")
    click.echo(f"your code is saved in {saved}; grade undo brings it back")


@click.command(epilog=examples("grade undo"))
@course_option
def undo(course: Course) -> None:
    """Undo the last `grade reset`."""
    from grader.learner.editing import undo as take_back

    home = own_home(course)
    stage = take_back(course, home)
    click.echo(f"undid the reset of {stage.id}; {home / stage.file} has your functions again")


def _one_stage(course: Course, phase: str) -> Stage:
    chosen = course.select([phase])
    if len(chosen) != 1:
        raise UsageError(f"{phase!r} is more than one phase", "name one phase")
    return chosen[0]
