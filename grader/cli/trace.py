"""`grade trace "(a*b + c) * (a + d)"`: show an expression's graph and backward pass."""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.keyboard import END, Read, keys
from grader.cli.options import at_option, course_option, examples
from grader.cli.places import locate
from grader.cli.streams import make_console, save
from grader.errors import CourseError, UsageError

if TYPE_CHECKING:
    from grader.curriculum.model import Course, Stage
    from grader.judge.evidence import Evidence
    from grader.judge.session import Session
    from grader.learner.tracing.model import Trace
    from grader.model import Visibility

PAGE = "trace.html"


@click.command(
    short_help="Show the graph of an expression and each backward step.",
    epilog=examples(
        'grade trace "(a*b + c) * (a + d)"', 'grade trace "tanh(a*b)" --set a=2 --set b=-0.5 --text'
    ),
)
@click.argument("expression")
@at_option(help="Use the engine in this folder or file instead of yours.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Value of a name; the other names get small numbers.",
)
@click.option(
    "--text",
    "as_text",
    is_flag=True,
    help="Show the steps in the terminal: n or Enter for the next one, q to quit.",
)
@click.option(
    "--svg", metavar="FILE", help="Write a picture of the graph with all numbers into this file."
)
@click.option("--html", metavar="FILE", help="Write the page into this file.")
@click.option("--no-open", is_flag=True, help="Print the path of the page instead of opening it.")
@course_option
def trace(
    expression: str,
    path: str | None,
    settings: tuple[str, ...],
    svg: str | None,
    html: str | None,
    *,
    course: Course,
    as_text: bool,
    no_open: bool,
) -> int:
    """Show the graph of an EXPRESSION as your engine builds it, and its backward pass: which node
    runs, and what it sends where.

    Use + - * / **, numbers, names, and functions such as tanh(x) or x.tanh(). To name an
    intermediate result, write s = a*b; s*s + s.
    Wrong numbers appear next to the right ones. The page needs no network; its keys are the arrows,
    space, Home and End.
    Exit code 1 if something is wrong.
    """
    where, home = locate(course, path)
    found = _trace(course, where, expression, _given(settings))
    if svg is not None:
        from grader.learner.tracing.picture import to_svg

        save(Path(svg), to_svg(found))
        click.echo(f"the picture is in {svg}", err=True)
    if as_text:
        from grader.learner.tracing.text import print_trace

        waits = sys.stdin.isatty() and sys.stdout.isatty()
        with keys() as read:
            print_trace(found, make_console(), partial(_wants_more, read) if waits else None)
    if html is not None or not (as_text or svg is not None):
        show_page(found, html, home, no_open=no_open or html is not None, advice=", or add --text")
    return 0 if found.first_wrong is None else 1


def _given(settings: tuple[str, ...]) -> dict[str, float]:
    given: dict[str, float] = {}
    for setting in settings:
        name, _, text = (part.strip() for part in setting.partition("="))
        number = math.nan
        with suppress(ValueError):
            number = float(text)
        if not (name.isidentifier() and abs(number) <= 1e12):
            raise UsageError(
                f"--set {setting!r} is not of the form NAME=NUMBER",
                "for example: --set a=2 --set b=-0.5",
            )
        given[name] = number
    return given


def _trace(course: Course, where: str, expression: str, given: dict[str, float]) -> Trace:
    from grader.cli.hosting import host_of_command
    from grader.judge.oracle.expressions import parse
    from grader.learner.own_code import session_at
    from grader.learner.tracing.trace import trace_expression

    words = course.graph
    if words is None:
        raise CourseError(
            "this course has no graph to trace", "its course.toml has no table [graph]"
        )
    parsed = parse(expression, given, words.make)
    with session_at(course, where, course.engine, host_of_command()) as session:
        return trace_expression(parsed, session, words, words.module)


def _wants_more(read: Read) -> bool:
    """Return whether to continue: wait for n or Enter (True), or q."""
    from grader.views.console import NEXT, QUIT

    bar, key = f"{NEXT}  {QUIT}", ""
    click.echo(bar, nl=False)
    while key not in {"n", "q", *END}:
        key = read(1.0).casefold()
    click.echo(f"\r{' ' * len(bar)}\r", nl=False)
    return key in {"n", "\r", "\n"}


def show_page(
    found: Trace, file: str | None, home: Path | None, *, no_open: bool, advice: str = ""
) -> None:
    """Write the page, say where it is, and open it in a browser if there is one."""
    from grader.learner.tracing.page import to_page

    text = to_page(found)
    place = Path(file) if file is not None else _place(home)
    save(place, text)
    opened = not no_open and open_in_browser(place.resolve().as_uri())
    click.echo(
        f"the trace is in {place}"
        + ("" if opened or no_open else f"; open it in a browser{advice}"),
        err=True,
    )


def _place(home: Path | None) -> Path:
    """Return a path for the page, next to the learner's progress if possible.

    Some browsers may not read the folder for temporary files.
    """
    from grader.learner.progress import progress_folder

    with suppress(OSError):
        if home is not None:
            return progress_folder(home) / PAGE
    return Path(tempfile.mkdtemp(prefix="grade-trace-")) / PAGE


def open_in_browser(address: str) -> bool:
    """Open a browser with its own window. Return whether there is one.

    A browser that runs in the terminal is not used. If a page started this program, that page shows
    it.
    """
    import webbrowser

    from grader.cli.hosting import current_page

    if current_page() is not None:
        return True
    windows = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    with suppress(webbrowser.Error, OSError):
        return (windows or sys.platform != "linux") and webbrowser.open(address)
    return False


class FailureTrace:
    """The trace of the first failure whose graph shows a wrong number.

    It is made while the failure's worker is still running.
    """

    def __init__(self, course: Course, asked: Collection[str], reveal: Visibility) -> None:
        """Keep the requested checkpoints that `reveal` permits to be shown."""
        self._course = course
        self._wanted = {
            checkpoint.id
            for checkpoint in course.checkpoints
            if checkpoint.id in asked and checkpoint.visibility.within(reveal)
        }
        self._found: Trace | None = None

    def look(self, failures: Mapping[str, Evidence], begin: Callable[[Stage], Session]) -> None:
        """Trace the first failure whose graph has a wrong number."""
        from grader.learner.tracing.trace import trace_evidence

        words = self._course.graph
        for checkpoint, evidence in failures.items():
            if checkpoint in self._wanted and words is not None and not evidence.long:
                stage = self._course.stage_of(checkpoint)
                title = f"{checkpoint}: {stage.titles[checkpoint]}"
                with closing(begin(stage)) as session:
                    found = trace_evidence(evidence, session, words, title)
                if found is not None and found.first_wrong is not None:
                    self._found = found
                    return

    def show(self, home: Path | None) -> None:
        """Open the trace at its first wrong step, or say that there is nothing to open."""
        if self._found is not None:
            show_page(self._found, None, home, no_open=False)
        else:
            click.echo("nothing to open: no failure has a graph with a wrong number", err=True)
