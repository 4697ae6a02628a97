"""Show a report in the terminal.

It reads just as well without colour: verdicts have signs and words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from grader.model import CheckResult, Diagnosis, PhaseResult, Report, Verdict
from grader.text import both_shown, safe
from grader.views.causes import HEADING, causes
from grader.views.console import (
    code_text,
    has_unicode,
    print_commands,
    print_hanging,
    print_heading,
    print_text,
    sign_text,
    wrapped,
)
from grader.views.diagnosis import mistake_lines, tree, why_lines
from grader.views.plain import code_line, place

SIGNS = {
    Verdict.PASSED: ("✓", "+", "green"),
    Verdict.FAILED: ("✗", "x", "red"),
    Verdict.BLOCKED: ("▫", "-", "yellow"),
    Verdict.NOT_STARTED: ("·", ".", "dim"),
    Verdict.ERROR: ("!", "!", "magenta"),
}
_WORDS = {
    Verdict.FAILED: "failed",
    Verdict.BLOCKED: "blocked",
    Verdict.NOT_STARTED: "not started",
    Verdict.ERROR: "error",
}
_DETAIL = 4
_CODE = "cyan"
_IS_WRONG = " is wrong: "
MAX_OUTPUT_LINES = 6
MAX_WIDTH = 100
MAX_LINES = 18  # for a failing checkpoint; twice as many if lines are short
NARROW = 60


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print all phases, then the totals."""
    explained: set[str] = set()
    titles = {result.id: result.title for result in report.checkpoints}
    for cause in causes(report):
        print_hanging(Text(HEADING, style="bold"), code_text(cause), console)
        console.print()
    for phase in report.phases:
        _print_phase(phase, console, explained, titles, verbose=verbose)
        console.print()
    _print_sum(report, console, verbose=verbose)


def _print_phase(
    phase: PhaseResult,
    console: Console,
    explained: set[str],
    titles: Mapping[str, str],
    *,
    verbose: bool,
) -> None:
    same = phase.shared
    again = same is not None and same.message in explained
    print_heading(
        phase.id,
        phase.title,
        console,
        f"{phase.score}/{phase.max_score}" + ("  as above" if again else ""),
        style="green" if phase.done else "default",
    )
    if same is not None and not again:
        print_details(same, console, explained, verbose=verbose, indent=_DETAIL)
        explained.add(same.message)
    if phase.regression:
        print_text(code_text(safe(phase.regression), "yellow"), console, 2)
    waiting = {} if verbose or same is not None else _waiting(phase)
    for result in phase.checkpoints if same is None else ():
        if result.id in waiting:
            continue
        console.print(line_of(result, console))
        if verbose:
            console.print(Text(f"    {result.id}", style="dim"))
        print_details(result, console, explained, verbose=verbose, indent=_DETAIL)
    for by, count in Counter(waiting.values()).items():
        blocker = f"{titles[by]} ({by})" if by in titles else by
        body = code_text(f"{count} checkpoints wait for: {blocker}")
        print_hanging(sign_text(SIGNS[Verdict.BLOCKED], console), body, console)


def _waiting(phase: PhaseResult) -> dict[str, str]:
    """Return the blocked checkpoints that wait for the same one as an earlier one, with its id."""
    blocked = {result.id: result.waits_for for result in phase.checkpoints if result.waits_for}
    counts = Counter(blocked.values())
    return {id: by for id, by in blocked.items() if counts[by] > 1}


def line_of(result: CheckResult, console: Console) -> Text:
    """Return a line with sign, title and points.

    The points have their own column; a long title is wrapped next to it.
    """
    signs = SIGNS[result.verdict]
    if result.bonus and result.verdict is Verdict.FAILED:  # a failed bonus is not a failure
        signs = "☆", "*", "default"
    points = "bonus" if result.bonus else f"{result.earned}/{result.points}"
    title = code_text(result.title, "dim" if result.verdict is Verdict.NOT_STARTED else "")
    if result.visibility.remark:
        title.append(f" [{result.visibility.remark}]", style="dim")
    word = Text(_WORDS.get(result.verdict, ""), style=signs[2])
    narrow = console.width < NARROW
    if narrow and word:  # too narrow for a column of words
        title.append("  ").append_text(word)
    room = max(8, min(console.width, MAX_WIDTH) - (4 + 6 if narrow else 4 + 6 + 12))
    head, *rest = wrapped(title, console, room)
    head.rstrip()
    head.pad_right(room - head.cell_len)
    first = Text.assemble(
        sign_text(signs, console),
        head,
        (f" {points:>5}", "dim"),
        "" if narrow or not word else " ",
        "" if narrow else word,
    )
    lines = [first, *(Text.assemble("    ", line) for line in rest)]
    for line in lines:
        line.rstrip()
    return Text("\n").join(lines)


def print_details(
    result: CheckResult, console: Console, explained: set[str], *, verbose: bool, indent: int
) -> None:
    """Print a failure in at most `MAX_LINES`. A mistake that was explained before is only named."""
    diagnosis = result.diagnosis or Diagnosis()
    known = {mistake.id for mistake in diagnosis.misconceptions}
    if result.waits_for and not verbose:
        if result.message in explained:
            waits = Text(f"waits for {result.waits_for}, as above", style="dim")
            print_text(waits, console, indent)
            return
        explained.add(result.message)
    cause = _cause(result)
    if cause and cause in explained and not verbose:
        for text in (*_wrong(result, verbose=False), _as_above(result)):
            print_text(text, console, indent)
        return
    explained.add(cause)
    most = MAX_LINES * (1 + (console.width < NARROW))
    again = bool(known) and known <= explained
    texts = list(_details(result, console, verbose=verbose, short=again))
    if not verbose and _height(texts, console, indent) > most - 1:
        texts = list(_details(result, console, verbose=verbose, short=True))
    else:
        explained |= known
    if result.diagnosis is not None:
        nodes = diagnosis.tree
        left = most - 1 - _height(texts, console, indent)
        room = len(nodes) if verbose else min(len(nodes), left)
        place = next(index for index, text in enumerate(texts) if not text.plain)
        texts[place : place + 1] = tree(nodes, room, unicode=has_unicode(console))
    for text in texts:
        if text.style == _CODE:  # code to paste must not be wrapped
            console.print(" " * indent, text, sep="", soft_wrap=True)
        else:
            print_text(text, console, indent)


def _cause(result: CheckResult) -> str:
    """Return what two failures with the same cause have in common, or an empty text if unknown."""
    diagnosis, where = result.diagnosis or Diagnosis(), result.where
    if result.verdict is not Verdict.FAILED or where is None:
        return ""
    if result.frames:
        return f"{place(where)} {result.message}"
    named = diagnosis.blame or diagnosis.misconceptions
    return f"{place(where)} {diagnosis.blame}" if named else ""


def _as_above(result: CheckResult) -> Text:
    where = place(result.where) if result.where is not None else ""
    return Text(f"points at the same line as above: {where}", style="dim")


def _height(texts: list[Text], console: Console, indent: int) -> int:
    return sum(
        1 if text.style == _CODE else len(text.wrap(console, console.width - indent))
        for text in texts
        if text.plain
    )


def _details(
    result: CheckResult, console: Console, *, verbose: bool, short: bool = False
) -> Iterator[Text]:
    if result.verdict in {Verdict.BLOCKED, Verdict.ERROR}:
        yield code_text(safe(result.message))
    elif result.verdict is Verdict.FAILED:
        yield from _wrong(result, verbose=verbose)
        why = why_lines(result, unicode=has_unicode(console))
        lines = _lines(result, console.width - _DETAIL, verbose=verbose)
        for part in (lines, why) if result.frames else (why, lines):
            yield from part
        if result.diagnosis is not None:
            yield from mistake_lines(result.diagnosis, short=short)
            yield Text()  # the graph goes here if there is room
        yield from _shown_again(result, console.width - _DETAIL)
        yield from _printed(result)
    elif result.verdict is Verdict.NOT_STARTED and verbose and result.message:
        yield code_text(safe(result.message))
    elif result.verdict is Verdict.PASSED and verbose:
        yield from _printed(result)


def _wrong(result: CheckResult, *, verbose: bool) -> Iterator[Text]:
    message = safe(result.message)
    if result.expected is None:
        yield code_text(message)
    elif (parts := f"{message}: ".split(_IS_WRONG, 1))[1:]:
        yield code_text(f"{parts[0]}: ").append_text(_compared(result, verbose=verbose))
        if parts[1]:
            yield code_text(parts[1].removesuffix(": "))
    else:
        yield _compared(result, verbose=verbose)
        yield code_text(message)


def _lines(result: CheckResult, width: int, *, verbose: bool) -> Iterator[Text]:
    """Yield the line to blame and the one that raised, or all running lines."""
    both = dict.fromkeys(filter(None, (result.where, *result.frames[-1:])))
    for frame in result.frames if verbose and len(result.frames) > 1 else both:
        style = "" if frame == result.where else "dim"
        if not frame.source or len(code_line(frame)) <= width:
            yield Text(code_line(frame), style=style)
        else:
            yield Text(place(frame), style=style)
            source = safe(frame.source)
            # where there is room, code stays whole, so that it can be found and copied
            whole = width + _DETAIL >= NARROW
            for part in [source] if whole else wrap(source, width - 6, break_long_words=False):
                yield Text(f"  {part}", style=_CODE)


def _shown_again(result: CheckResult, width: int) -> Iterator[Text]:
    if result.reproduce:
        yield Text("try it:", style="dim")
        for line in safe(result.reproduce, 8000).splitlines():
            code, mark, comment = line.partition("  # ")
            is_long = len(line) + 2 > width
            # the details are above
            if mark and is_long and comment.startswith(("raises ", "while grading: ")):
                parts = comment.split(":")[: 1 + comment.startswith("while")]
                line = code + mark + ":".join(parts)  # noqa: PLW2901
            yield Text("  " + (code if len(line) + 2 > width else line), style=_CODE)
            if mark and len(line) + 2 > width:
                indent = " " * (len(code) - len(code.lstrip()))
                yield from (
                    Text(f"  {part}", style=_CODE)
                    for part in wrap(
                        comment,
                        max(20, width - 2),
                        initial_indent=f"{indent}# ",
                        subsequent_indent=f"{indent}# ",
                    )
                )


def _compared(result: CheckResult, *, verbose: bool) -> Text:
    got, expected = both_shown(result.got, result.expected)
    line = Text.assemble("got ", (got, "red"), ", expected ", (expected, "green"))
    return line.append(f" (by {result.how})", style="dim") if result.how and verbose else line


def _printed(result: CheckResult) -> Iterator[Text]:
    lines = safe(result.output, 4000).strip().splitlines()
    if lines:
        yield Text("your code printed:", style="dim")
        for line in lines[:MAX_OUTPUT_LINES]:
            yield Text("  | " + line, style="dim")
        if len(lines) > MAX_OUTPUT_LINES:
            yield Text(f"  | … {len(lines) - MAX_OUTPUT_LINES} lines more", style="dim")


def print_notes(notes: Iterable[str], console: Console) -> None:
    """Print the notes of a report."""
    for note in notes:
        print_hanging(Text("note: ", style="dim"), Text(safe(note), style="dim"), console)


def _print_sum(report: Report, console: Console, *, verbose: bool) -> None:
    results = [result for result in report.checkpoints if result.counts]
    verdicts = Counter(result.verdict for result in results)
    several = "s" * (len(results) != 1)
    parts = [f"{verdicts[Verdict.PASSED]} of {len(results)} checkpoint{several} passed"]
    parts += [
        f"{verdicts[verdict]} {word}" for verdict, word in _WORDS.items() if verdicts[verdict]
    ]
    if bonus := [result.verdict is Verdict.PASSED for result in report.checkpoints if result.bonus]:
        parts.append(f"{sum(bonus)} of {len(bonus)} bonus")
    style = "bold green" if report.exit_code == 0 else "bold"
    total = Text(f"{report.score}/{report.max_score} points: ", style)
    print_hanging(total, Text(", ".join(parts)), console)
    print_notes((*report.notes, *_hidden_prints(report, verbose=verbose)), console)
    isolation = report.isolation
    seed = f"; seed {report.seed}" if report.seed is not None else ""
    print_text(Text(f"isolation {isolation.level}: {isolation.name}{seed}", style="dim"), console)
    if isolation.warning:
        missing = "; ".join(isolation.missing)
        print_text(Text(f"{isolation.warning} (missing: {missing})", style="dim"), console)
    stuck = [
        phase.id
        for phase in report.phases
        if any(result.verdict is Verdict.FAILED and result.counts for result in phase.checkpoints)
    ]
    if stuck:
        commands = f'`grade hint {stuck[0]}`, or `grade hint --symptom "what you see"`'
        print_hanging(Text("stuck? ", style="dim"), code_text(commands, "dim"), console)
    elif causes := _blocking(report):
        print_commands([("next", f"`grade {causes[0]}`")], console)


def _blocking(report: Report) -> list[str]:
    """Return the checkpoints outside the report that block some in it."""
    inside = {"", *(result.id for result in report.checkpoints)}
    return [result.waits_for for result in report.checkpoints if result.waits_for not in inside]


def _hidden_prints(report: Report, *, verbose: bool) -> Iterator[str]:
    """Say that passing checkpoints hide the output of the learner's code."""
    passed = [
        result.output.strip() for result in report.checkpoints if result.verdict is Verdict.PASSED
    ]
    lines = sum(len(output.splitlines()) for output in passed)
    if lines and not verbose:
        yield f"your code printed {lines} line{'s' * (lines > 1)} where it passed; -v shows them"
