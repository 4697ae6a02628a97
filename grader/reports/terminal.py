"""A report for a person at a terminal. Reads as well without colour: every verdict has a sign and a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.model import CheckResult, PhaseResult, Report, Verdict
from grader.reports.styled import code_text, has_unicode, print_hanging
from grader.reports.text import safe, shown
from grader.reports.why import told_mistake, told_why, tree

SIGNS = {
    Verdict.PASSED: ("✓", "+", "green"),
    Verdict.FAILED: ("✗", "x", "red"),
    Verdict.BLOCKED: ("▫", "-", "yellow"),
    Verdict.NOT_STARTED: ("·", ".", "dim"),
    Verdict.ERROR: ("!", "!", "magenta"),
}
_WORDS = {Verdict.FAILED: "failed", Verdict.BLOCKED: "blocked", Verdict.NOT_STARTED: "not started", Verdict.ERROR: "error"}
_DETAIL = 4
_CODE = "cyan"
_IS_WRONG = " is wrong"
MAX_OUTPUT_LINES = 6
MAX_WIDTH = 100
MAX_LINES = 15  # of a failing checkpoint


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print all phases, then the sum."""
    explained: set[str] = set()
    for phase in report.phases:
        _print_phase(phase, console, explained, verbose=verbose)
        console.print()
    _print_sum(report, console, verbose=verbose)


def _print_phase(phase: PhaseResult, console: Console, explained: set[str], *, verbose: bool) -> None:
    header = Text(f"{phase.id}  ", style="bold")
    header.append(phase.title)
    header.append(f"  {phase.score}/{phase.max_score}", style="green" if phase.done else "default")
    same = told_once(phase)
    again = same is not None and same.message in explained
    console.print(header.append("  as above", style="dim") if again else header)
    if same is not None and not again:
        explained.add(same.message)
        print_details(same, console, explained, verbose=verbose, indent=_DETAIL)
    if phase.regression:
        console.print(Padding(code_text(safe(phase.regression), "yellow"), (0, 0, 0, 2)))
    for result in phase.checkpoints if same is None else ():
        console.print(line_of(result, console))
        if verbose:
            console.print(Text(f"    {result.id}", style="dim"))
        print_details(result, console, explained, verbose=verbose, indent=_DETAIL)


def told_once(phase: PhaseResult) -> CheckResult | None:
    """What all checkpoints have in common, as when the file cannot be imported, or a package is not installed."""
    told = {(result.verdict, result.message, result.expected, result.got, result.reproduce) for result in phase.checkpoints}
    first = phase.checkpoints[0]
    return first if len(told) == 1 and len(phase.checkpoints) > 1 and first.verdict in {Verdict.FAILED, Verdict.BLOCKED} else None


def line_of(result: CheckResult, console: Console) -> Table:
    """Sign, title and points, the points in a column of their own; a long title is wrapped beside it."""
    unicode, plain, colour = SIGNS[result.verdict]
    if result.bonus and result.verdict is Verdict.FAILED:  # a bonus is no failure
        unicode, plain, colour = "☆", "*", "default"
    points = "bonus" if result.bonus else f"{result.earned}/{result.points}"
    word = _WORDS.get(result.verdict, "")
    line = Table.grid(padding=(0, 1))
    line.add_column(width=3, justify="right")
    line.add_column(width=max(20, min(console.width, MAX_WIDTH) - 3 - 5 - 11 - 3))
    line.add_column(width=5, justify="right")
    line.add_column(width=11)
    style = "dim" if result.verdict is Verdict.NOT_STARTED else ""
    title = code_text(result.title, style)
    if result.visibility.told:
        title.append(f" [{result.visibility.told}]", style="dim")
    line.add_row(
        Text(unicode if has_unicode(console) else plain, style=colour),
        title,
        Text(points, style="dim"),
        Text(word, style=colour),
    )
    return line


def print_details(result: CheckResult, console: Console, explained: set[str], *, verbose: bool, indent: int) -> None:
    """A failure in `MAX_LINES`; a mistake that was explained once is only named."""
    known = {mistake.id for mistake in result.diagnosis.misconceptions} if result.diagnosis else set()
    again = bool(known) and known <= explained
    texts = list(_details(result, console, verbose=verbose, short=again))
    if not verbose and _height(texts, console, indent) > MAX_LINES - 1:
        texts = list(_details(result, console, verbose=verbose, short=True))
    else:
        explained |= known
    if result.diagnosis is not None:
        nodes = result.diagnosis.tree
        room = len(nodes) if verbose else min(len(nodes), MAX_LINES - 1 - _height(texts, console, indent))
        place = next(index for index, text in enumerate(texts) if not text.plain)
        texts[place : place + 1] = tree(nodes, room, unicode=has_unicode(console))
    for text in texts:
        if text.style == _CODE:  # to be pasted: not broken
            console.print(" " * indent, text, sep="", soft_wrap=True)
        else:
            console.print(Padding(text, (0, 0, 0, indent), expand=False))


def _height(texts: list[Text], console: Console, indent: int) -> int:
    return sum(1 if text.style == _CODE else len(text.wrap(console, console.width - indent)) for text in texts if text.plain)



def _details(result: CheckResult, console: Console, *, verbose: bool, short: bool = False) -> Iterator[Text]:
    if result.verdict in {Verdict.BLOCKED, Verdict.ERROR}:
        yield code_text(safe(result.message))
    elif result.verdict is Verdict.FAILED:
        yield from _wrong(result)
        if result.diagnosis is not None:
            yield from told_why(result.diagnosis, unicode=has_unicode(console))
            yield Text()  # where the graph is put, if there is room
            yield from told_mistake(result.diagnosis, short=short)
        yield from _shown_again(result, console.width - _DETAIL, verbose=verbose)
        yield from _printed(result)
    elif result.verdict is Verdict.NOT_STARTED and verbose and result.message:
        yield code_text(safe(result.message))
    elif result.verdict is Verdict.PASSED and verbose:
        yield from _printed(result)


def _wrong(result: CheckResult) -> Iterator[Text]:
    message = safe(result.message)
    if result.expected is None:
        yield code_text(message)
    elif message.endswith(_IS_WRONG):
        yield code_text(f"{message.removesuffix(_IS_WRONG)}: ").append_text(_compared(result))
    else:
        yield code_text(message)
        yield _compared(result)


def _shown_again(result: CheckResult, width: int, *, verbose: bool) -> Iterator[Text]:
    for frame in result.frames if verbose else result.frames[-3:]:
        where = f"{safe(frame.file)}, line {frame.line}" + (f", in {safe(frame.function)}" if frame.function else "")
        line = f"{where}: {safe(frame.source)}" if frame.source else where
        if len(line) <= width or not frame.source:
            yield Text(line, style="dim")
        else:  # code is not broken
            yield Text(where, style="dim")
            yield Text(f"  {safe(frame.source)}", style=_CODE)
    if result.reproduce:
        yield Text("try it:", style="dim")
        for line in safe(result.reproduce, 8000).splitlines():
            yield Text("  " + line, style=_CODE)


def _compared(result: CheckResult) -> Text:
    expected, got = shown(result.expected), shown(result.got)
    if expected == got and result.expected != result.got:  # a near miss
        expected, got = safe(repr(result.expected), 300), safe(repr(result.got), 300)
    line = Text.assemble("expected ", (expected, "green"), "   got ", (got, "red"))
    return line.append(f"   (by {result.how})", style="dim") if result.how else line


def _printed(result: CheckResult) -> Iterator[Text]:
    lines = safe(result.output, 4000).strip().splitlines()
    if lines:
        yield Text("your code printed:", style="dim")
        for line in lines[:MAX_OUTPUT_LINES]:
            yield Text("  | " + line, style="dim")
        if len(lines) > MAX_OUTPUT_LINES:
            yield Text(f"  | … {len(lines) - MAX_OUTPUT_LINES} lines more", style="dim")


def _print_sum(report: Report, console: Console, *, verbose: bool) -> None:
    results = [result for result in report.checkpoints if result.counts]
    verdicts = Counter(result.verdict for result in results)
    parts = [f"{verdicts[Verdict.PASSED]} of {len(results)} checkpoint{'s' * (len(results) != 1)} passed"]
    parts += [f"{verdicts[verdict]} {word}" for verdict, word in _WORDS.items() if verdicts[verdict]]
    bonus = [result for result in report.checkpoints if result.bonus]
    if bonus:
        parts.append(f"{sum(result.verdict is Verdict.PASSED for result in bonus)} of {len(bonus)} bonus")
    total = Text(f"{report.score}/{report.max_score} points: ", style="bold green" if report.exit_code == 0 else "bold")
    print_hanging(total, Text(", ".join(parts)), console)
    for note in (*report.notes, *_told_of_prints(report, verbose=verbose)):
        print_hanging(Text("note: ", style="dim"), Text(safe(note), style="dim"), console)
    isolation = report.isolation
    seed = f"; seed {report.seed}" if report.seed is not None else ""
    console.print(Text(f"isolation {isolation.level}: {isolation.name}{seed}", style="dim"))
    if isolation.warning:
        console.print(Text(f"{isolation.warning} (missing: {'; '.join(isolation.missing)})", style="dim"))
    stuck = [phase.id for phase in report.phases if any(result.verdict is Verdict.FAILED and result.counts for result in phase.checkpoints)]
    if stuck:
        told = code_text(f'`grade hint {stuck[0]}`, or `grade hint --symptom "what you see"`', "dim")
        print_hanging(Text("stuck? ", style="dim"), told, console)


def _told_of_prints(report: Report, *, verbose: bool) -> Iterator[str]:
    """What passes shows nothing of what the learner's code printed: say so."""
    passed = [result.output.strip() for result in report.checkpoints if result.verdict is Verdict.PASSED]
    lines = sum(len(output.splitlines()) for output in passed)
    if lines and not verbose:
        yield f"your code printed {lines} line{'s' * (lines > 1)} where it passed; -v shows them"
