"""Draw the graph of a failure in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.model import Shown, TreeNode
from grader.text import safe
from grader.views.answer import both_numbers
from grader.views.console import GLUE


def tree(nodes: Sequence[TreeNode], *, unicode: bool) -> Iterator[Text]:
    """Yield the graph from the result down, a line for each node."""
    width = max((2 * node.depth + len(node.expression) for node in nodes), default=0)
    for node in nodes:
        yield _line(node, width, unicode=unicode)


def _line(node: TreeNode, width: int, *, unicode: bool) -> Text:
    indent = "  " * node.depth
    line = Text(f"  {indent}")
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
