"""`grade doctor`."""

from __future__ import annotations

import click

from grader.cli.options import course_option, examples
from grader.cli.places import find_home
from grader.cli.streams import make_console
from grader.curriculum.model import Course
from grader.model import Verdict


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
    from grader.views.plain import SIGNS

    console, bad = make_console(), 0
    for finding in check_setup(course, find_home(course), console):
        bad += finding.is_bad
        sign = sign_text(SIGNS[Verdict.FAILED if finding.is_bad else Verdict.PASSED], console)
        head = Text.assemble(sign, " ", (f"{finding.subject:15}  ", "bold"))
        print_hanging(head, Text(safe(finding.message)), console)
        if finding.advice:
            print_hanging(Text(" " * 19), code_text(safe(finding.advice), "yellow"), console)
    console.print(f"\n{bad} to fix" if bad else "\neverything works")
    return 1 if bad else 0
