"""Turn an observation into nodes, each with its operands, local derivatives and correct numbers.

An engine may build more nodes than the expression has operations, such as `a + b * -1` for `a - b`.
The operation of an additional node is the one that the engine's own sign names, if that gives its
value. Its right value and gradient are unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from grader.judge import oracle
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.gradients import Operation, local_derivative
from grader.judge.plain_values import is_close, is_number, shown_as
from grader.judge.script.steps import Apply, Call, Make, Step
from grader.learner.tracing.model import Node, Number
from grader.learner.tracing.observe import Observation
from grader.text import safe
from grader.worker.protocol import Ref

MAX_LABEL = 2_000
_POWER = re.compile(r"\*\*\(?(-?\d+(?:\.\d*)?(?:e-?\d+)?)\)?")
_SIMPLE = re.compile(r"-?[\w.]+(\([^()]*\))?")


def find_nodes(seen: Observation, labels: Mapping[Ref, str]) -> dict[Ref, Node]:
    """Return the node of every object, operands first. `labels` names the steps of the expression.

    The objects that the engine does not record come first, as the expression makes them.
    """
    made = {seen.objects[step.target]: step for step in reversed(seen.circuit.steps)}  # type: ignore[index] # it has one
    unrecorded = [thing for thing in reversed(made) if thing not in seen.graph]
    resolver = _Resolver(seen, labels)
    for thing in (*unrecorded, *seen.graph):
        resolver.add(thing, made.get(thing))
    return resolver.nodes


class _Resolver:
    """Finds what each object of the engine is."""

    def __init__(self, seen: Observation, labels: Mapping[Ref, str]) -> None:
        self.seen, self.labels = seen, labels
        self.scripted = {*seen.objects.values()}
        self.nodes: dict[Ref, Node] = {}
        self.places: dict[Ref, int] = {}

    def add(self, thing: Ref, step: Step | None) -> None:
        """Add the node of an object, with the step of the expression that made it, if one did."""
        seen, value = self.seen, self.seen.values.get(thing)
        below = list(seen.graph.get(thing, ()))
        named, label, operation = seen.signs.get(thing), "", None
        sign = safe(named.strip(), 12) if isinstance(named, str) else ""
        if step is not None:
            operation = self._as_written(step, below)
            label, sign = self.labels.get(step.target, ""), sign or sign_of(step)  # type: ignore[arg-type] # as above
        if operation is None and (read := _named(sign, below)) is not None:
            operation = self._if_it_gives(value, read)
            label = label or (self._written(read) if operation else "")
        is_leaf = isinstance(step, Make) or (step is None and not below)
        if is_leaf and step is None and is_number(value):
            label = f"{value:.6g}"
        slots = [ref for ref, _ in operation.slots] if operation else []
        unrecorded = {*slots} - {*below} if thing in seen.graph else set()
        others = iter([child for child in below if child not in slots])
        operands = [next(others, None) if ref is None else ref for ref in slots]
        ref = step.target if step is not None else None
        judged = seen.fault is None and thing in seen.gradients
        node = Node(
            label[:MAX_LABEL] or "an intermediate node",
            "" if is_leaf else sign,
            ("leaf" if step is not None else "constant") if is_leaf else "operation",
            self._placed([*operands, *others]),
            Number(shown_as(value), seen.circuit.values.get(ref)),  # type: ignore[arg-type]
            Number(
                shown_as(seen.gradients.get(thing)),
                seen.circuit.gradients.get(ref) if judged else None,  # type: ignore[arg-type]
            ),
            self._slopes(operation) if operation and not is_leaf else {},
            self._placed(unrecorded),
        )
        self.places[thing] = len(self.nodes)
        self.nodes[thing] = node

    def _placed(self, refs: Iterable[Ref | None]) -> tuple[int, ...]:
        return tuple(self.places[ref] for ref in refs if ref in self.places)

    def _as_written(self, step: Step, below: Sequence[Ref]) -> Operation | None:
        """Return the operation of a step, unless the engine recorded other operands.

        Plain numbers may have become nodes.
        """
        (operation,) = oracle.operations([step])
        slots = [
            (self.seen.objects[ref] if ref is not None else None, n) for ref, n in operation.slots
        ]
        others = {*below} - {ref for ref, _ in slots}
        is_whole = not any(self.seen.graph.get(ref) or ref in self.scripted for ref in others)
        return operation._replace(slots=tuple(slots)) if is_whole else None

    def _if_it_gives(self, value: Any, step: Step) -> Operation | None:
        """Return the operation of a step, if it gives this value."""
        (operation,) = oracle.operations([step])
        with suppress(ArithmeticError, ValueError, TypeError):
            if is_close(value, float(operation.compute(*operation.numbers(self.seen.values)))):
                return operation
        return None

    def _slopes(self, operation: Operation) -> dict[int, tuple[float, ...]]:
        """Return the local derivatives at the operands' values, one per use, if known.

        A plain number that became a node has none, because its gradient is not judged.
        """
        found: dict[int, tuple[float, ...]] = {}
        numbers = operation.numbers(self.seen.values)
        for slot, (ref, _) in enumerate(operation.slots if all(map(is_number, numbers)) else ()):
            place = self.places.get(ref) if ref is not None else None
            # a power of a negative base has no derivative with respect to the exponent
            with suppress(ArithmeticError, ValueError, TypeError):
                if place is not None and [*self.nodes.values()][place].role != "constant":
                    found[place] = (
                        *found.get(place, ()),
                        local_derivative(operation, numbers, slot),
                    )
        return found

    def _written(self, step: Apply | Call) -> str:
        """Return an operation as a person would write it."""
        operands = [step.on] if isinstance(step, Call) else step.args
        texts = [
            self.nodes[each].label if isinstance(each, Ref) else f"{each:.6g}" for each in operands
        ]
        texts = [text if _SIMPLE.fullmatch(text) else f"({text})" for text in texts]
        if isinstance(step, Call):
            return f"{texts[0]}.{step.method}()"
        return f"-{texts[0]}" if step.op == "neg" else f" {step.op} ".join(texts)


def _named(sign: str, below: Sequence[Ref]) -> Apply | Call | None:
    """Return the operation of one or two operands that a sign names."""
    if len(below) == 1 and sign in FUNCTIONS:
        return Call(below[0], below[0], sign, [])
    if len(below) == 1 and sign in {"neg", "-"}:
        return Apply(below[0], "neg", [below[0]])
    if len(below) == 1 and (power := _POWER.fullmatch(sign)):
        return Apply(below[0], "**", [below[0], float(power[1])])
    if sign in {"+", "*", "-", "/"} and 0 < len(below) <= 2:  # one: the same operand twice
        return Apply(below[0], sign, [below[0], below[-1]])
    return None


def sign_of(step: Step) -> str:
    """Return an operation in a few letters."""
    return str(getattr(step, "method", getattr(step, "op", "")))
