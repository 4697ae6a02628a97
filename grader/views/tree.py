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
    arrow = "←" if unicode else "<-"
    for node in nodes:
        indent = "  " * node.depth
        style = "bold" if node.first_wrong or node.blamed else ""
        line = Text(f"  {indent}")
        line.append(safe(node.expression).ljust(width - len(indent)), style)
        line.append_text(_number("value", node.value, node.right_value))
        if node.right_gradient is not None:
            line.append_text(_number("gradient", node.gradient, node.right_gradient))
        if node.first_wrong:
            line.append(f"  {arrow} first wrong", style="red")
        elif node.blamed:
            line.append(f"  {arrow} its step", style="yellow")
        yield line


def _number(name: str, got: Shown, right: Shown) -> Text:
    given, wanted = both_numbers(got, right)
    if given == wanted:
        return Text(f"  {name}{GLUE}{given}")
    marked = (given, "red"), (f",{GLUE}right{GLUE}{wanted}", "green")
    return Text.assemble(f"  {name}{GLUE}", *marked)
