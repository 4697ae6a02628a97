"""A report for a person at a terminal. Reads as well without colour: every verdict has a sign and a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.model import CheckResult, Kind, PhaseResult, Report, Verdict
from grader.reports.text import safe, shown

SIGNS = {
    Verdict.PASSED: ("✓", "+", "green"),
    Verdict.FAILED: ("✗", "x", "red"),
    Verdict.BLOCKED: ("▫", "-", "yellow"),
    Verdict.NOT_STARTED: ("·", ".", "dim"),
    Verdict.ERROR: ("!", "!", "magenta"),
}
_WORDS = {Verdict.FAILED: "failed", Verdict.BLOCKED: "blocked", Verdict.NOT_STARTED: "not started", Verdict.ERROR: "error"}
_DETAIL = 4
MAX_OUTPUT_LINES = 6


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print all phases, then the sum."""
    same = _told_once(report)
    if same is not None:
        _print_details(same, console, verbose=verbose, indent=0)
        console.print()
    for phase in report.phases:
        _print_phase(phase, console, verbose=verbose, told=same.message if same else None)
        console.print()
    _print_sum(report, console)


def _told_once(report: Report) -> CheckResult | None:
    """The failure that all checkpoints share, as when the file cannot be imported."""
    messages = {result.message for result in report.checkpoints}
    if len(report.checkpoints) > 1 and len(messages) == 1 and report.checkpoints[0].verdict is Verdict.FAILED:
        return report.checkpoints[0]
    return None


def _print_phase(phase: PhaseResult, console: Console, *, verbose: bool, told: str | None) -> None:
    header = Text(f"{phase.id}  ", style="bold")
    header.append(phase.title)
    header.append(f"  {phase.score}/{phase.max_score}", style="green" if phase.done else "default")
    console.print(header)
    for result in phase.checkpoints:
        console.print(_line(result, console), soft_wrap=False)
        if told is None or result.message != told:
            _print_details(result, console, verbose=verbose, indent=_DETAIL)


def _line(result: CheckResult, console: Console) -> Padding:
    unicode, plain, colour = SIGNS[result.verdict]
    if result.bonus and result.verdict is Verdict.FAILED:  # a bonus is no failure
        unicode, plain, colour = "☆", "*", "default"
    line = Text()
    line.append(f"{unicode if _has_unicode(console) else plain} ", style=colour)
    line.append_text(_code(result.title))
    points = "bonus" if result.bonus else f"{result.earned}/{result.points}"
    word = _WORDS.get(result.verdict, "")
    line.append(f"  {points}{', ' + word if word else ''}", style="dim" if result.verdict is Verdict.PASSED else colour)
    return Padding(line, (0, 0, 0, 2))


def _print_details(result: CheckResult, console: Console, *, verbose: bool, indent: int) -> None:
    for text in _details(result, verbose=verbose):
        console.print(Padding(text, (0, 0, 0, indent)))


def _details(result: CheckResult, *, verbose: bool) -> Iterator[Text]:
    if result.verdict in {Verdict.BLOCKED, Verdict.ERROR}:
        yield _code(safe(result.message))
        return
    if result.verdict is Verdict.PASSED:
        if verbose:
            yield from _printed(result)
        return
    if result.verdict is Verdict.NOT_STARTED:
        return
    yield _code(safe(result.message))
    if result.kind in {Kind.WRONG_VALUE, Kind.BAD_TYPE, Kind.MISSING_NAME}:
        yield Text.assemble("expected ", (shown(result.expected), "green"), "   got ", (shown(result.got), "red"))
    for frame in result.frames if verbose else result.frames[-3:]:
        where = f"{safe(frame.file)}, line {frame.line}" + (f", in {safe(frame.function)}" if frame.function else "")
        yield Text(f"{where}: {safe(frame.source)}" if frame.source else where, style="dim")
    if result.reproduce:
        yield Text("try it:", style="dim")
        for line in safe(result.reproduce, 8000).splitlines():
            yield Text("  " + line, style="cyan")
    yield from _printed(result)


def _printed(result: CheckResult) -> Iterator[Text]:
    lines = safe(result.output, 4000).strip().splitlines()
    if lines:
        yield Text("your code printed:", style="dim")
        for line in lines[:MAX_OUTPUT_LINES]:
            yield Text("  | " + line, style="dim")
        if len(lines) > MAX_OUTPUT_LINES:
            yield Text(f"  | … {len(lines) - MAX_OUTPUT_LINES} lines more", style="dim")


def _print_sum(report: Report, console: Console) -> None:
    counts = report.counts
    parts = [f"{count} {word.replace('_', ' ')}" for word, count in counts.items() if count]
    total = Text(f"{report.score}/{report.max_score} points", style="bold green" if report.exit_code == 0 else "bold")
    total.append(f"   {', '.join(parts)}", style="not bold default")
    console.print(total)
    for note in report.notes:
        console.print(Text(f"note: {safe(note)}", style="dim"))
    console.print(Text(_isolation(report), style="dim"))


def _isolation(report: Report) -> str:
    names = {0: "own process", 1: "own process with limits", 2: "sandbox", 3: "sandbox and another user"}
    level = report.isolation.level
    return f"isolation {level}: {names[level]}; seed {report.seed}"


def _code(text: str) -> Text:
    """Text in which `code` stands out."""
    result = Text()
    for index, part in enumerate(re.split(r"`([^`]*)`", text)):
        result.append(part, style="bold" if index % 2 else "")
    return result


def _has_unicode(console: Console) -> bool:
    return (console.encoding or "").lower().startswith("utf")
