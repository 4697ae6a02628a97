"""Run the backward pass of a failing script: which steps ran, in which order, and every number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.judge.evidence import Questions, Reply, Run
from grader.judge.explain.circuit import Circuit
from grader.judge.plain_values import is_close, is_number, shown_as
from grader.judge.script.steps import WATCHED, Watch
from grader.model import Shown, TreeNode
from grader.text import shown
from grader.worker.protocol import Ref

MAX_TREE = 24


@dataclass(frozen=True)
class Pass:
    """The result of one backward pass: all values and gradients, and the calls if watched."""

    circuit: Circuit
    values: dict[Ref, Any]
    gradients: dict[Ref, Any]
    calls: Sequence[tuple[Ref, Any]]
    operands: dict[Ref, list[Ref]]
    reply: Reply

    def first_wrong(self, named: Ref | None = None) -> tuple[Ref, Any, float] | None:
        """Return the first node of the pass with a wrong gradient, that gradient, and the right
        one; or the `named` node, if its gradient is wrong.
        """
        nodes = (*filter(None, [named]), *reversed(self.circuit.values))
        return _first_wrong(nodes, self.gradients, self.circuit.gradients)

    def first_wrong_value(self) -> tuple[Ref, Any, float] | None:
        """Return the first node with a wrong value, in the order they are made, and both values."""
        return _first_wrong(self.circuit.values, self.values, self.circuit.values)


def _first_wrong(
    nodes: Iterable[Ref], got: Mapping[Ref, Any], want: Mapping[Ref, float]
) -> tuple[Ref, Any, float] | None:
    known = (node for node in nodes if node in want)
    wrong = (node for node in known if not is_close(got.get(node), want[node]))
    return next(((node, got.get(node), want[node]) for node in wrong), None)


def backward_pass(circuit: Circuit, run: Run) -> Pass:
    """Build the graph, run its backward pass and read everything. Watch the calls if possible."""
    if circuit.upstream is not None or circuit.root is None:
        return _pass(circuit, run, watch=False)
    watched = _pass(circuit, run, watch=True)
    return _pass(circuit, run, watch=False) if watched.reply.fault else watched


def _pass(circuit: Circuit, run: Run, *, watch: bool) -> Pass:
    words, asked = circuit.words, Questions(circuit.steps)
    if circuit.root is not None:
        asked.ask("graph", circuit.root, words.operands, "graph")
        watched = Watch(
            WATCHED, circuit.root, words.operands, words.step, words.backward, words.gradient
        )
        asked.do(*([*circuit.hold(), watched] if watch else circuit.begin()))
    for node in circuit.values:
        asked.ask(("value", node), node, words.data)
        asked.ask(("gradient", node), node, words.gradient)
    if watch:
        asked.ask("nodes", WATCHED, "nodes", "refs")
        asked.ask("numbers", WATCHED, "held", "value")
    answers, reply = asked.answers(run)
    values, gradients = (
        {node: answers.get((what, node)) for node in circuit.values}
        for what in ("value", "gradient")
    )
    calls = list(zip(answers.get("nodes", ()), answers.get("numbers", ())))
    return Pass(
        circuit,
        values,
        gradients,
        calls,
        {node: list(below) for node, below in answers.get("graph", ())},
        reply,
    )


def fault_of_order(seen: Pass) -> tuple[str, str] | None:
    """Return the fault of the pass, if each operation on its own is correct: a word, a sentence."""
    root = seen.circuit.root
    if root is None or not seen.calls:
        return None
    first: dict[Ref, int] = {}
    for index, (node, _) in enumerate(seen.calls):
        first.setdefault(node, index)
    return (
        _seed(seen, root, first)
        or _repeated(seen)
        or _too_early(seen, first)
        or _never(seen, first)
    )


def _seed(seen: Pass, root: Ref, first: dict[Ref, int]) -> tuple[str, str] | None:
    name = seen.circuit.label(root)
    if root not in first or is_close(held := seen.calls[first[root]][1], 1.0):
        return None
    return (
        "seed",
        (
            f"the gradient of the result `{name}` was {_told(held)} when its step ran; it must be"
            " 1.0 before any step runs"
        ),
    )


def _repeated(seen: Pass) -> tuple[str, str] | None:
    counts = Counter(node for node, _ in seen.calls)
    nodes = (*seen.circuit.values, *counts)
    node = next((each for each in nodes if counts[each] > 1 and seen.operands.get(each)), None)
    if node is None:
        return None
    step = seen.circuit.words.step
    told = (
        f"`{seen.circuit.label(node)}` ran its `{step}` {_times(counts[node])} in one backward"
        " pass; each node must run once"
    )
    return "order", f"{told} ({len(seen.calls)} calls in total for {len(seen.operands)} nodes)"


def _too_early(seen: Pass, first: dict[Ref, int]) -> tuple[str, str] | None:
    """Find a node that ran before its gradient was complete, and the users that came later."""
    for index, (node, held) in enumerate(seen.calls):
        want = seen.circuit.gradients.get(node)
        if (
            want is None
            or not seen.operands.get(node)
            or is_close(held, want)
            or not is_number(held)
        ):
            continue
        late = [
            user
            for user, below in seen.operands.items()
            if node in below and first.get(user, -1) > index
        ]
        if late:
            told = f"`{seen.circuit.label(node)}` ran its `{seen.circuit.words.step}` too early"
            if not is_close(seen.gradients.get(node), want):
                return "order", f"{told}: part of its gradient came later"
            return "order", f"{told}: its gradient was still {_told(held)}; the rest came later"
    return None


def _never(seen: Pass, first: dict[Ref, int]) -> tuple[str, str] | None:
    circuit, step = seen.circuit, seen.circuit.words.step
    wrong = seen.first_wrong()
    hidden = [  # that the engine made for one of the script's operations
        user
        for node, operands in seen.operands.items()
        if node not in first and node not in circuit.values and wrong and wrong[0] in operands
        for user, below in seen.operands.items()
        if node in below and user in circuit.values
    ]
    never = [node for node in circuit.values if node not in first and seen.operands.get(node)]
    if not never and not hidden:
        return None
    node = f"`{circuit.label((never or hidden)[-1])}`"
    node = node if never else f"a node that {node} is made from"
    return "order", f"{node} never ran its `{step}`, so no gradient got past it"


def _times(count: int) -> str:
    return {2: "twice", 3: "three times"}.get(count, f"{count} times")


def _told(number: Any) -> str:
    return shown(float(number), 4) if is_number(number) else "not a number"


# --- the graph, with these numbers ---


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
        value, gradient = shown_as(seen.values.get(node)), shown_as(seen.gradients.get(node))
        yield TreeNode(
            depth,
            circuit.definition(node),
            value,
            gradient,
            _right(value, circuit.values[node]),
            _right(gradient, circuit.gradients.get(node)),
            first_wrong=node == first_wrong,
            blamed=node == blamed,
            operands=tuple(places[operand] for operand in below[node] if operand in places),
        )


def _right(got: Shown, want: float | None) -> Shown:
    """Return the correct number, as it was found if that is close."""
    return got if want is not None and is_close(got, want) else want
