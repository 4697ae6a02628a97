"""The graph of a failing expression, with the numbers that the learner's code gave its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.judge.diagnosis.order import Pass
from grader.judge.replies import UnexpectedType
from grader.model import Shown, TreeNode
from grader.worker.protocol import Ref

MAX_TREE = 24


def tree_of(seen: Pass, first_wrong: Ref, blamed: Ref | None) -> Iterator[TreeNode]:
    """Yield the nodes of a backward pass, from the result down, each at its first use."""
    circuit = seen.circuit
    below = {node: step.references() for step in circuit.steps if (node := step.target) is not None}
    root = circuit.root if circuit.root is not None else next(reversed(circuit.values))
    depths: dict[Ref, int] = {}
    todo = [(root, 0)]
    while todo and len(depths) < MAX_TREE:
        node, depth = todo.pop()
        if node not in depths:
            depths[node] = depth
            todo += [(operand, depth + 1) for operand in reversed(below[node])]
    places = {node: place for place, node in enumerate(depths)}
    for node, depth in depths.items():
        yield TreeNode(
            depth,
            circuit.definition(node),
            shown(seen.values.get(node)),
            shown(seen.gradients.get(node)),
            circuit.values[node],
            circuit.gradients.get(node),
            first_wrong=node == first_wrong,
            blamed=node == blamed,
            operands=tuple(places[operand] for operand in below[node] if operand in places),
        )


def shown(answer: Any) -> Shown:
    """Return an answer as a report shows it."""
    if type(answer) in {int, float}:
        return answer  # type: ignore[no-any-return]
    return f"a {answer.type_name}" if isinstance(answer, UnexpectedType) else None
