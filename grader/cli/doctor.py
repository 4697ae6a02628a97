"""`grade doctor`."""

from __future__ import annotations

import click

from grader.cli.options import course_option, examples
from grader.cli.places import find_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course

SIGNS = {"fine": ("✓", "+", "green"), "worse": ("~", "~", "yellow"), "bad": ("✗", "x", "red")}


@click.command(
    short_help="Check your setup, with a fix for each problem.", epilog=examples("grade doctor")
)
@course_option
def doctor(course: Course) -> int:
    """Check what grading needs: Python, packages, terminal, isolation, write access. Exit code
    1 if there is a problem.
    """
    from rich.text import Text

    from grader.learner.doctor import check_setup
    from grader.text import safe
    from grader.views.console import code_text, print_hanging, sign_text

    console, states = make_console(), []
    for finding in check_setup(course, find_home(course), console):
        states.append(finding.state)
        sign = sign_text(SIGNS[finding.state], console)
        head = Text.assemble(sign, " ", (f"{finding.subject:15}  ", "bold"))
        print_hanging(head, Text(safe(finding.message)), console)
        if finding.advice:
            print_hanging(Text(" " * 19), code_text(safe(finding.advice), "yellow"), console)
    bad, worse = states.count("bad"), states.count("worse")
    better = f"; {worse} could be better" if worse else ""
    console.print()
    console.print(f"{bad} to fix" if bad else f"everything works{better}")
    return 1 if bad else 0
