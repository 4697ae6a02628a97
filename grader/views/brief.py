"""Show a phase on one screen, for `grade watch`: the first failure in full, the rest in brief."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grader.model import CheckResult, PhaseResult, Report, Verdict, Visibility
from grader.text import safe
from grader.views.console import code_text, print_heading, print_text, sign_text
from grader.views.terminal import SIGNS, line_of, print_details, print_notes

FRAME_LINES = 6  # heading, keys and blank lines
LEAST_TITLES = 3


def print_brief(phase: PhaseResult, report: Report, console: Console) -> None:
    """Print how many checkpoints pass, the first failure in full, the titles of others, notes."""
    print_heading(
        phase.id,
        phase.title,
        console,
        f"{phase.score}/{phase.max_score}",
        style="green" if phase.done else "default",
    )
    if phase.regression:
        print_text(code_text(safe(phase.regression), "yellow"), console, 2)
    _print_passed(phase.checkpoints, console, of_all=True)
    if phase.shared is not None:
        print_details(phase.shared, console, set(), verbose=False, indent=4)
    else:
        _print_open(phase, console)
    print_notes(report.notes, console)


def first_failure(results: Sequence[CheckResult]) -> CheckResult | None:
    """Return the first result that failed and that the learner sees."""
    failed = [result for result in results if result.verdict is Verdict.FAILED and result.counts]
    return next((r for r in failed if r.visibility is Visibility.VISIBLE), None)


def print_first(phase: PhaseResult, console: Console) -> None:
    """Print the beginning of a phase's report when the first check has failed."""
    print_heading(phase.id, phase.title, console, "…")
    _print_passed(phase.checkpoints, console, of_all=False)
    _print_open(phase, console)


def _print_passed(results: Sequence[CheckResult], console: Console, *, of_all: bool) -> None:
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    if passed:
        message = "all pass" if of_all and passed == len(results) else f"{passed} pass"
        console.print(sign_text(SIGNS[Verdict.PASSED], console).append(message, style="green"))


def _print_open(phase: PhaseResult, console: Console) -> None:
    open_ = [
        result
        for result in phase.checkpoints
        if result.verdict is not Verdict.PASSED and (result.counts or phase.done)
    ]
    worst = (Verdict.FAILED, Verdict.BLOCKED)  # without a failure, the cause is in another phase
    first = next(
        (result for verdict in worst for result in open_ if result.verdict is verdict), None
    )
    if first is not None:
        console.print(line_of(first, console))
        print_details(first, console, set(), verbose=False, indent=4)
    _print_titles([result for result in open_ if result is not first], console)


def _print_titles(results: list[CheckResult], console: Console) -> None:
    room = max(LEAST_TITLES, console.height - FRAME_LINES - 18)
    for result in results[:room]:
        console.print(line_of(result, console))
    if len(results) > room:
        console.print(Text(f"    and {len(results) - room} more", style="dim"))
