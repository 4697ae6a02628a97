"""Map the names after `--format` to report formats. Only the requested one is imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from grader.model import Report, Visibility


class FormatOptions(NamedTuple):
    """Everything a format may need besides the report."""

    title: str
    reveal: Visibility
    verbose: bool


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


def _view(name: str, *fields: str) -> Callable[[Report, FormatOptions], str]:
    """Return a format: a function of `grader.views`, which gets the report and these fields."""
    module, _, function = name.partition(":")

    def write(report: Report, options: FormatOptions) -> str:
        view = getattr(import_module(f"grader.views.{module}"), function)
        return str(view(report, *(getattr(options, field) for field in fields)))

    return write


FORMATS: dict[str, Callable[[Report, FormatOptions], str]] = {
    "text": lambda report, options: to_text(report, verbose=options.verbose),
    "json": _view("json:to_json"),
    "html": _view("html:to_html", "title"),
    "junit": _view("junit:to_junit"),
    "markdown": _view("markdown:to_markdown", "title"),
    "github": _view("markdown:to_github"),
    "gradescope": _view("markdown:to_gradescope"),
    "prairielearn": _view("prairielearn:to_prairielearn", "reveal"),
}
WHOLE = {"gradescope", "prairielearn"}  # every checkpoint counts, even a hidden one
