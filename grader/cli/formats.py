"""Map the names after `--format` to report formats. Only the requested one is imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from io import StringIO
from types import SimpleNamespace
from typing import Any

from grader.model import Report


def to_text(
    report: Report, *, verbose: bool, width: int = 100, commands: Sequence[str] = (), **console: Any
) -> str:
    """Return the terminal's output, with lines of this width."""
    from rich.console import Console

    from grader.views.terminal import print_report

    file = StringIO()
    print_report(
        report,
        Console(file=file, width=width, highlight=False, markup=False, emoji=False, **console),
        verbose=verbose,
        commands=commands,
    )
    return file.getvalue()


def _view(name: str) -> Any:
    return import_module(f"grader.views.{name}")


# each takes the report, the title of its course, and the options of the grading
FORMATS: dict[str, Callable[[Report, str, SimpleNamespace], str]] = {
    "text": lambda report, _, options: to_text(report, verbose=options.verbose),
    "json": lambda report, *_: _view("json").to_json(report),
    "html": lambda report, course, _: _view("html").to_html(report, course),
    "junit": lambda report, *_: _view("junit").to_junit(report),
    "markdown": lambda report, course, _: _view("markdown").to_markdown(report, course),
    "github": lambda report, *_: _view("markdown").to_github(report),
    "gradescope": lambda report, *_: _view("markdown").to_gradescope(report),
    "prairielearn": lambda report, _, options: _view("prairielearn").to_prairielearn(
        report, options.reveal
    ),
}
WHOLE = {"gradescope", "prairielearn"}  # every checkpoint counts, even a hidden one
