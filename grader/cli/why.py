"""`grade why` and `grade try`: the whole story of a failure, and a prompt to look into it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click

from grader.cli.options import at_option, complete_phases, course_option, examples
from grader.cli.places import find_home, own_home
from grader.cli.streams import make_console, say
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.model import Verdict


@click.command(
    short_help="Tell the whole story of a failure.",
    epilog=examples("grade why", "grade why phase4", "grade why phase4.seed"),
)
@click.argument("about", required=False, shell_complete=complete_phases)
@at_option(help="Explain this instead of your exercises: a folder, file, notebook or archive.")
@course_option
def why(about: str | None, path: str | None, course: Course) -> int:
    """Show everything about each failure: the graph with its first wrong node, the known mistake in
    full, every line that was running, and lines to paste into Python.

    ABOUT is a phase or a checkpoint. Default: what failed in the last grading; with --at, all
    phases, but no extension. The first failure comes last.
    """
    from grader.cli.grading import grade_again
    from grader.views.terminal import print_failures

    words = [about] if about else _failed(course) if path is None else ["all"]
    report = grade_again(course, words, path)
    print_failures(report, make_console())
    if all(result.verdict is Verdict.PASSED for result in report.checkpoints):
        say(f"{', '.join(words)} passes, so there is nothing to explain")
    return report.exit_code


@click.command(
    "try",
    short_help="Try a failure in a Python prompt.",
    epilog=examples("grade try", "grade try phase4.seed"),
)
@click.argument("checkpoint", required=False, shell_complete=complete_phases)
@course_option
def try_(checkpoint: str | None, course: Course) -> None:
    """Open a Python prompt after running the failing lines. CHECKPOINT defaults to the first one
    that failed in the last grading.

    This runs your own code as Python does, outside the sandbox.
    """
    from grader.cli.grading import grade_again

    asked = checkpoint or _failed(course)[0]
    failing = next(
        (result for result in grade_again(course, [asked]).checkpoints if result.reproduce), None
    )
    if failing is None:
        raise UsageError(
            f"{asked} has no failing lines to run",
            f"to try your own engine, run in its folder: python -i {course.engine}",
        )
    say(f"{failing.id}: this runs your own code, outside the sandbox. exit() ends it.\n")
    sys.stdout.flush()
    open_prompt(failing.reproduce, own_home(course))


def _failed(course: Course) -> list[str]:
    """Return the checkpoints that failed in the last grading. Raise UsageError if none did."""
    from grader.learner.progress import load

    failed = [id for id in load(find_home(course)).failed if id in course.ids]
    if not failed:
        name = click.get_current_context().info_name
        raise UsageError("nothing failed in the last grading", f"name a phase: grade {name} phase1")
    return failed


_BOOT = """
def run(lines):
    import code, sys
    sys.path.insert(0, "")  # the learner's folder
    shell, goes_on = code.InteractiveConsole(globals()), False
    for line in lines:
        print(("... " if goes_on else ">>> ") + line, flush=True)
        goes_on = shell.push(line)

run({lines!r})
del run
"""


def open_prompt(lines: str, folder: Path) -> None:
    """Run lines in a Python prompt in a folder, and leave it to the learner."""
    command = [sys.executable, "-i", "-c", _BOOT.format(lines=lines.splitlines())]
    with subprocess.Popen(command, cwd=folder) as process:  # noqa: S603 - this interpreter
        while process.poll() is None:
            with suppress(KeyboardInterrupt):  # it is for the prompt
                process.wait()
