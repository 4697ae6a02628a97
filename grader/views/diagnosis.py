"""Show a diagnosis in the terminal: the cause, the graph and the known mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.model import CheckResult, Diagnosis, Shown, TreeNode
from grader.text import safe
from grader.views.console import GLUE, code_text
from grader.views.plain import both_numbers, heading, reason


def why_lines(result: CheckResult, *, unicode: bool) -> Iterator[Text]:
    """Yield the cause as a sentence, if it is known."""
    if why := reason(result):
        yield code_text(f"{'→' if unicode else '->'} {why}")


def mistake_lines(diagnosis: Diagnosis, *, short: bool) -> Iterator[Text]:
    """Yield the known mistake that computes the same numbers.

    `short` leaves out its explanation.
    """
    known = diagnosis.misconceptions
    if diagnosis.advice and not known:
        yield code_text(safe(diagnosis.advice))
    if known:
        titles = " / ".join(mistake.title.rstrip(".") for mistake in known)
        yield Text.assemble(
            (f"{heading(known)} ", "yellow"),
            code_text(f"{titles}." if short else f"{titles}. {known[0].explanation}"),
        )


def tree(nodes: Sequence[TreeNode], room: int, *, unicode: bool) -> Iterator[Text]:
    """Yield the graph from the result down, in `room` lines.

    The least important nodes are left out.
    """
    if not nodes or room < 2:
        return
    kept = _most_important(nodes, room)
    width = max(2 * nodes[index].depth + len(nodes[index].expression) for index in kept)
    last = -1
    for index in kept:
        gap = "" if index == last + 1 else "… " if unicode else ".. "
        yield _line(nodes[index], gap, width, unicode=unicode)
        last = index


def _most_important(nodes: Sequence[TreeNode], room: int) -> list[int]:
    """Return the indices of the nodes to show.

    The first wrong node, the one to blame and the result come first, then the nodes closest to the
    first wrong one.
    """
    wrong = next((index for index, node in enumerate(nodes) if node.first_wrong), 0)
    marked = {index for index, node in enumerate(nodes) if node.first_wrong or node.blamed}
    by_rank = sorted(
        range(len(nodes)), key=lambda index: (index not in marked, index != 0, abs(index - wrong))
    )
    return sorted(by_rank[:room])


def _line(node: TreeNode, gap: str, width: int, *, unicode: bool) -> Text:
    indent = "  " * node.depth
    line = Text("  " + (indent + gap)[-len(indent) or None :] if gap and indent else "  " + indent)
    line.append(
        safe(node.expression).ljust(width - len(indent)),
        style="bold" if node.first_wrong or node.blamed else "",
    )
    line.append(f"  value{GLUE}")
    _number(line, node.value, node.right_value)
    if node.right_gradient is not None:
        line.append(f"  gradient{GLUE}")
        _number(line, node.gradient, node.right_gradient)
    arrow = "←" if unicode else "<-"
    if node.first_wrong:
        line.append(f"  {arrow} first wrong", style="red")
    elif node.blamed:
        line.append(f"  {arrow} its step", style="yellow")
    return line


def _number(line: Text, got: Shown, right: Shown) -> None:
    given, wanted = both_numbers(got, right)
    line.append(given, style="" if given == wanted else "red")
    if given != wanted:
        line.append(f",{GLUE}right{GLUE}{wanted}", style="green")
