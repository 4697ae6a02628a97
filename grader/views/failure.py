"""Show one failure in the terminal: in a few lines, or with all details."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO

from rich.console import Console
from rich.text import Text

from grader.model import CheckResult, Diagnosis, Frame, Kind, Verdict
from grader.text import safe
from grader.views.answer import Answer, Part, answer_to
from grader.views.console import code_text, hanging, has_unicode, sign_text, wrapped
from grader.views.plain import SIGNS, code_line, place
from grader.views.tree import tree

BONUS = ("☆", "*", "default")  # a bonus that fails is not a failure
MAX_WIDTH = 100  # of a paragraph
COLUMN = 80  # where the points end
MAX_PRINTED = 2  # lines of the learner's output
_MARKS = {"wrong": "bold red", "right": "green", "": ""}


def sign_of(result: CheckResult, console: Console) -> Text:
    """Return the sign of a result."""
    is_bonus = result.bonus and result.verdict is Verdict.FAILED
    return sign_text(BONUS if is_bonus else SIGNS[result.verdict], console)


def title_lines(result: CheckResult, console: Console, style: str = "") -> list[Text]:
    """Return the sign, the title and the points, which have their own column."""
    points = "bonus" if result.bonus else f"{result.earned}/{result.points}"
    title = code_text(result.title, style)
    if result.visibility.remark:
        title.append(f" [{result.visibility.remark}]", style="dim")
    room = max(8, min(console.width, COLUMN) - len(points) - 3)
    head, *rest = wrapped(title, console, room)
    head.pad_right(room - head.cell_len)
    first = Text.assemble(sign_of(result, console), " ", head, (f" {points}", "dim"))
    return [first, *(Text.assemble("  ", line) for line in rest)]


def in_brief(result: CheckResult, console: Console, heading: str = "") -> list[Text]:
    """Return a failure in a few lines: the place, the numbers, one reason and the proof. If there
    are only numbers, show the lines that give them.
    """
    answer = answer_to(result)
    title = title_lines(result, console, "bold")
    if heading:
        title = [Text.assemble(sign_of(result, console), " ", (heading, "bold"))]
    lines = [*title, *_place(answer.place, console), *_raised(result, console)]
    lines += _sentences(answer, [answer.reason], console)
    if not (answer.place or answer.reason or answer.proof):
        lines += [Text(f"    {line}", "cyan") for line in safe(result.reproduce, 2000).splitlines()]
    return [*lines, *_printed(result, MAX_PRINTED)]


def details(result: CheckResult) -> str:
    """Return everything about a result except its title as plain text."""
    return "\n".join(
        line.plain.rstrip() for line in _details(result, Console(file=StringIO(), width=COLUMN))
    )


def in_full(result: CheckResult, console: Console) -> Iterator[Text]:
    """Yield everything about a result: the answer, its story, the graph and lines to try."""
    yield from title_lines(result, console, "bold")
    yield Text(f"  {result.id}", style="dim")
    yield from _details(result, console)


def _details(result: CheckResult, console: Console) -> Iterator[Text]:
    answer = answer_to(result)
    yield from _place(answer.place, console, whole=True)
    yield from _sentences(answer, (answer.reason, *answer.story), console)
    for line in tree((result.diagnosis or Diagnosis()).tree, unicode=has_unicode(console)):
        yield from wrapped(line, console, console.width)
    for frame in result.frames:
        if frame != answer.place:
            yield from _paragraph(Text(code_line(frame), style="dim"), console)
    yield from _printed(result)
    if result.verdict is Verdict.FAILED and result.reproduce:
        how = f" (the expected value comes from {result.how})" if result.how else ""
        yield from _paragraph(Text(f"To paste into Python{how}:", style="dim"), console)
        yield Text()
        yield from (Text(line, "cyan") for line in safe(result.reproduce, 8000).splitlines())


def _place(frame: Frame | None, console: Console, *, whole: bool = False) -> Iterator[Text]:
    """Yield where a line is, then its excerpt: wrapped, or `whole` for copying it."""
    if frame is None:
        return
    yield Text.assemble("  ", (place(frame), "dim"))  # in one piece for editors that look for it
    width = max((len(str(number)) for number, _ in frame.excerpt), default=0)
    for number, line in frame.excerpt:
        is_it = frame.marks(number)
        mark = (f"  {'>' if is_it else ' '} ", "bold red")
        head = Text.assemble(mark, (f"{number:>{width}} | ", "dim"))
        code = Text(safe(line), style="bold" if is_it else "dim")
        if not (is_it or whole):  # of the other line, the beginning is enough
            code.truncate(console.width - len(head), overflow="ellipsis")
        yield from [head + code] if whole else hanging(head, code, console)


def _raised(result: CheckResult, console: Console) -> Iterator[Text]:
    """Yield the line that raised, if it is not the one to blame; any may end a recursion."""
    last, where, recurs = result.frames[-1:], result.where, "RecursionError" in str(result.got)
    if result.kind is not Kind.RAISED or recurs or not last or not where:
        return
    if last[0].file != where.file or not where.marks(last[0].line):
        line = Text(f"  raised in {code_line(last[0])}", style="dim")
        line.truncate(console.width, overflow="ellipsis")
        yield line


def _sentences(answer: Answer, reasons: Iterable[str], console: Console) -> Iterator[Text]:
    """Yield the numbers of an answer, these reasons and the proof."""
    yield from _paragraph(Text().join(map(_styled, answer.numbers)), console)
    for reason in reasons:
        yield from _paragraph(code_text(reason), console)
    if answer.proof:
        yield from _paragraph(Text.assemble(("Tried: ", "bold"), code_text(answer.proof)), console)


def _styled(part: Part) -> Text:
    return Text(part.text, style=_MARKS[part.mark]) if part.mark else code_text(part.text)


def _paragraph(text: Text, console: Console) -> list[Text]:
    return hanging(Text("  "), text, console, min(console.width, MAX_WIDTH)) if text else []


def _printed(result: CheckResult, most: int = 0) -> Iterator[Text]:
    """Yield the output of the learner's code, or the last lines of it."""
    for number, line in enumerate(safe(result.output, 4000).strip().splitlines()[-most:]):
        head = Text("  your code printed: " if number == 0 else "  | ", style="dim")
        yield Text.assemble(head, (line, "dim"))
