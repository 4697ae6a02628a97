"""Show a report in the terminal: a line for each phase, and the first failure right above the
prompt.

It reads just as well without colour: verdicts have signs and words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from grader.model import CheckResult, PhaseResult, Report, Verdict
from grader.text import plural, safe
from grader.views.causes import HEADING, causes
from grader.views.console import code_text, hanging, in_rows, print_hanging, print_lines, sign_text
from grader.views.failure import in_brief, in_full, sign_of, title_lines
from grader.views.plain import SIGNS, WORDS

MAX_OTHERS = 6  # failures in a line each
MAX_NOTES = 3


def print_report(
    report: Report, console: Console, *, verbose: bool = False, commands: Sequence[str] = ()
) -> None:
    """Print a report on one screen, or all of it if `verbose`. `commands` are what to type next."""
    if verbose:
        _print_everything(report, console)
    else:
        _print_screen(report, console, commands)


def print_beginning(phase: PhaseResult, console: Console) -> None:
    """Print a phase that is still being graded, and whose last checkpoint so far failed."""
    print_lines(_headline(phase, console, "…"), console)
    console.print()
    print_lines(in_brief(phase.checkpoints[-1], console), console)


def print_failures(report: Report, console: Console) -> None:
    """Print all details of each failure, the first one last."""
    for result in reversed(_failures(report)):
        print_lines(in_full(result, console), console)
        console.print()
    for lines in _waits(report, console):
        print_lines(lines, console)


# --- one screen ---


def _print_screen(report: Report, console: Console, commands: Sequence[str]) -> None:
    """Print the phases, some notes, some failures in a line each, then the first failure and what
    to type next.
    """
    phases = [line for phase in report.phases for line in _headline(phase, console)]
    if report.phases[1:]:
        phases += _sum(report, console)
    notes = [
        hanging(Text("note: ", "dim"), Text(safe(note), "dim"), console) for note in report.notes
    ]
    failures, failure = _failures(report), list[Text]()
    typed = [Text(command, "dim") for command in commands]
    following = in_rows(typed, console, gap="    ") if typed else []
    if not failures:
        notes = [*_waits(report, console), *notes]
        following = [Text(f"next: grade {id}", "dim") for id in _blocking(report)[:1]]
    else:
        is_shared = any(p.shared and failures[0] in p.checkpoints for p in report.phases)
        failure = in_brief(failures[0], console, "no checkpoint can run" if is_shared else "")
    others = [title_lines(result, console) for result in failures[1:]]
    whole = commands[0].rpartition(": ")[2] if commands else "grade why"
    listed = _shortened(others, 0 if report.phases[1:] else MAX_OTHERS, f"failed: {whole}")
    said = _shortened(notes, MAX_NOTES, "of these notes: add -v")
    for index, lines in enumerate(filter(None, (phases, said, listed, failure, following))):
        if index:
            console.print()
        print_lines(lines, console)


def _failures(report: Report) -> list[CheckResult]:
    """Return the failures, as one if all checkpoints of a phase share it, even across phases. A
    bonus counts as one only if everything else passes.
    """
    found: dict[str, CheckResult] = {}
    for phase in report.phases:
        for result in phase.checkpoints:
            if result.verdict in {Verdict.FAILED, Verdict.ERROR}:
                found.setdefault(result.message if phase.shared else result.id, result)
    failed = sorted(found.values(), key=lambda result: result.verdict is Verdict.ERROR)
    return [result for result in failed if not result.bonus] or failed


def _headline(phase: PhaseResult, console: Console, rest: str = "") -> list[Text]:
    """Return the name of a phase, a sign for each checkpoint, and the points; below them, that it
    used to pass.
    """
    head, title = Text(f"{phase.id}  ", "bold"), Text(phase.title, "green" * phase.done)
    signs = Text().join(sign_of(result, console) for result in phase.checkpoints)
    points = Text(rest or f"{phase.score}/{phase.max_score}")
    above = hanging(head, title, console)
    lines = [*above[:-1], *in_rows([above[-1], signs, points], console, gap="   ")]
    if phase.regression:
        lines += hanging(Text("  "), code_text(safe(phase.regression), "yellow"), console)
    return lines


def _waits(report: Report, console: Console) -> Iterator[list[Text]]:
    """Yield what checkpoints wait for, if nothing fails here."""
    blocked = [one for one in report.checkpoints if one.verdict is Verdict.BLOCKED]
    for message, count in Counter(one.message for one in blocked).items():
        head = Text.assemble("  ", sign_text(SIGNS[Verdict.BLOCKED], console), " ")
        yield hanging(head, code_text(f"{count} waiting: {safe(message)}"), console)


def _blocking(report: Report) -> list[str]:
    """Return the checkpoints outside the report that block some in it."""
    inside = {"", *(result.id for result in report.checkpoints)}
    return [result.waits_for for result in report.checkpoints if result.waits_for not in inside]


def _shortened(groups: Sequence[Sequence[Text]], most: int, command: str) -> list[Text]:
    """Return the lines of at most this many groups, and how many are left."""
    left = len(groups) - most
    more = [Text(f"and {left} more {command}", "dim")] if left > 0 else []
    return [*(line for group in groups[:most] for line in group), *more]


# --- everything ---


def _print_everything(report: Report, console: Console) -> None:
    for cause in causes(report):
        print_hanging(Text(HEADING, "bold"), code_text(cause), console)
        console.print()
    for phase in report.phases:
        print_lines(_headline(phase, console), console)
        for result in phase.checkpoints:
            print_lines(in_full(result, console), console)
        console.print()
    print_lines(_sum(report, console), console)
    isolation = report.isolation
    seed = f"; seed {report.seed}" if report.seed is not None else ""
    lines = [
        *(f"note: {safe(note)}" for note in report.notes),
        f"isolation {isolation.level}: {isolation.name}{seed}",
    ]
    if isolation.warning:
        lines.append(f"{isolation.warning} (missing: {'; '.join(isolation.missing)})")
    for line in lines:
        print_hanging(Text(), Text(line, "dim"), console)


def _sum(report: Report, console: Console) -> list[Text]:
    """Return the points, and how many checkpoints got each verdict."""
    results = [result for result in report.checkpoints if not result.bonus]
    words = Counter(WORDS[result.verdict] for result in results)
    parts = [f"{words.pop('passed', 0)} of {plural(len(results), 'checkpoint')} passed"]
    parts += [f"{count} {word}" for word, count in words.items()]
    if bonus := [result.verdict is Verdict.PASSED for result in report.checkpoints if result.bonus]:
        parts.append(f"{sum(bonus)} of {len(bonus)} bonus")
    total = Text(
        f"{report.score}/{report.max_score} points: ",
        "bold green" if report.exit_code == 0 else "bold",
    )
    return hanging(total, Text(", ".join(parts)), console)
