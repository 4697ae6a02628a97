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
        indent, expression = "  " * node.depth, safe(node.expression)
        style = "bold" if node.first_wrong or node.blamed else ""
        value, gradient = _number("value", node.value, node.right_value), Text()
        if node.right_gradient is not None:
            gradient = _number("gradient", node.gradient, node.right_gradient)
        mark = Text(f"  {arrow} its step", "yellow") if node.blamed else Text()
        mark = Text(f"  {arrow} first wrong", "red") if node.first_wrong else mark
        yield Text.assemble(
            f"  {indent}", (expression.ljust(width - len(indent)), style), value, gradient, mark
        )


def _number(name: str, got: Shown, right: Shown) -> Text:
    given, wanted = both_numbers(got, right)
    if given == wanted:
        return Text(f"  {name}{GLUE}{given}")
    marked = (given, "red"), (f",{GLUE}right{GLUE}{wanted}", "green")
    return Text.assemble(f"  {name}{GLUE}", *marked)
