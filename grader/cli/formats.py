"""Map the names after `--format` to report formats. Only the requested one is imported."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from grader.model import Report, Visibility


class Shape(NamedTuple):
    """Everything a format may need besides the report."""

    title: str
    reveal: Visibility
    verbose: bool


def to_text(report: Report, *, verbose: bool, width: int = 100, **console: Any) -> str:
    """Return the terminal's output, with lines of this width."""
    from rich.console import Console

    from grader.views.terminal import print_report

    file = StringIO()
    print_report(
        report,
        Console(file=file, width=width, highlight=False, markup=False, emoji=False, **console),
        verbose=verbose,
    )
    return file.getvalue()


def _text(report: Report, shape: Shape) -> str:
    return to_text(report, verbose=shape.verbose)


def _json(report: Report, _: Shape) -> str:
    from grader.views.json import to_json

    return to_json(report)


def _html(report: Report, shape: Shape) -> str:
    from grader.views.html import to_html

    return to_html(report, shape.title)


def _junit(report: Report, _: Shape) -> str:
    from grader.views.junit import to_junit

    return to_junit(report)


def _markdown(report: Report, shape: Shape) -> str:
    from grader.views.markdown import to_markdown

    return to_markdown(report, shape.title)


def _github(report: Report, _: Shape) -> str:
    from grader.views.markdown import to_github

    return to_github(report)


def _gradescope(report: Report, _: Shape) -> str:
    from grader.views.markdown import to_gradescope

    return to_gradescope(report)


def _prairielearn(report: Report, shape: Shape) -> str:
    from grader.views.prairielearn import to_prairielearn

    return to_prairielearn(report, shape.reveal)


FORMATS: dict[str, Callable[[Report, Shape], str]] = {
    "text": _text,
    "json": _json,
    "html": _html,
    "junit": _junit,
    "markdown": _markdown,
    "github": _github,
    "gradescope": _gradescope,
    "prairielearn": _prairielearn,
}
WHOLE = {"gradescope", "prairielearn"}  # every checkpoint counts, even a hidden one
