"""Turn an observation into nodes, each with its operation, operands and correct numbers.

An engine may build more nodes than the expression has operations, such as `a + b * -1` for `a - b`.
The right value of an additional node is known only if the engine's own sign, applied to its
operands' values, gives its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, TypeGuard

from grader.judge import oracle
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.oracle.gradients import Operation, local_derivative
from grader.judge.script.steps import Apply, Call, Make, Step
from grader.learner.tracing.observe import Observation
from grader.text import safe
from grader.worker.protocol import Ref

MAX_LABEL = 2_000
BETWEEN = "an intermediate node"


@dataclass
class Made:
    """An object of the engine: its label, its operands, and how the oracle computes it, if known.

    `script` is the step of the expression that made it.
    """

    object: Ref
    label: str
    sign: str
    is_leaf: bool
    lost: bool
    script: Ref | None = None
    operation: Operation | None = None
    operands: list[Ref] = field(default_factory=list)
    unrecorded: list[Ref] = field(default_factory=list)


def is_number(answer: Any) -> TypeGuard[float]:
    """Return whether an answer is a number."""
    return type(answer) in {int, float}


class Resolver:
    """Finds what each object of the engine is. `labels` names the steps of the expression."""

    def __init__(self, seen: Observation, labels: Mapping[Ref, str]) -> None:
        self.seen, self.graph, self.labels = seen, seen.graph, labels
        self.scripted = {*seen.objects.values()}
        self.made: dict[Ref, Made] = {}

    def resolve(self) -> dict[Ref, Made]:
        """Return every object, operands first, as the expression makes them."""
        for step in self.seen.circuit.steps:
            thing = self.seen.objects.get(step.target)  # type: ignore[arg-type] # it has one
            if thing is not None and thing not in self.made:
                for hidden in self._below(thing):
                    self.made[hidden] = self._hidden(hidden)
                self.made[thing] = self._scripted(thing, step)
        for thing in self.graph:  # connected, but not made by the script
            if thing not in self.made:
                self.made[thing] = self._hidden(thing)
        return self.made

    def _below(self, thing: Ref) -> list[Ref]:
        """Return the intermediate objects that this one was made of, operands first."""
        inside: set[Ref] = set()
        todo = [*self.graph.get(thing, ())]
        while todo:
            node = todo.pop()
            if node not in inside and node not in self.scripted and node not in self.made:
                inside.add(node)
                todo += self.graph.get(node, ())
        return [node for node in self.graph if node in inside] if inside else []

    def _hidden(self, thing: Ref) -> Made:
        below, value = [*self.graph.get(thing, ())], self.seen.values.get(thing)
        made = Made(thing, BETWEEN, "", not below, lost=False, operands=below)
        if below:
            made.sign = self._sign(thing)
            self._interpret(made)
        elif is_number(value):
            made.label = number_label(value)
            made.operation = Operation(thing, float, ((None, value),))
        return made

    def _scripted(self, thing: Ref, step: Step) -> Made:
        node: Ref = step.target  # type: ignore[assignment] # a circuit has no other steps
        label, below = self.labels.get(node, BETWEEN)[:MAX_LABEL], [*self.graph.get(thing, ())]
        lost = bool(self.graph) and thing not in self.graph
        (operation,) = oracle.operations([step])
        if isinstance(step, Make):
            return Made(thing, label, "", is_leaf=True, lost=lost, script=node, operation=operation)
        made = Made(thing, label, sign_of(step), False, lost, node, None, below)  # noqa: FBT003
        if not self._as_written(made, operation):
            made.sign = self._sign(thing) or made.sign
            self._interpret(made)
        return made

    def _as_written(self, made: Made, operation: Operation) -> bool:
        """Return whether the operands are the script's operands, or some of them.

        A plain number may have become a node.
        """
        below = made.operands
        spare = [child for child in below if child not in self.scripted]
        slots: list[tuple[Ref | None, float]] = []
        for ref, number in operation.slots:
            found = self.seen.objects.get(ref) if ref is not None else None
            if ref is None and (held := [child for child in spare if self._holds(child, number)]):
                found = held[0]
                spare.remove(found)
            elif ref is not None and found is None:
                return False
            slots.append((found, number))
        nodes = [ref for ref, _ in slots if ref is not None]
        if not {*below} <= {*nodes}:
            return False
        made.operation, made.operands = operation._replace(slots=tuple(slots)), nodes
        if made.object in self.graph:
            made.unrecorded = [ref for ref in dict.fromkeys(nodes) if ref not in below]
        return True

    def _holds(self, thing: Ref, number: float) -> bool:
        value = self.seen.values.get(thing)
        return is_number(value) and not self.graph.get(thing) and oracle.close(value, number)

    def _sign(self, thing: Ref) -> str:
        sign = self.seen.signs.get(thing)
        return safe(sign.strip(), 12) if isinstance(sign, str) else ""

    def _interpret(self, made: Made) -> None:
        """Set the node's operation to the one named by `_op`, if that gives its value."""
        value, sign = self.seen.values.get(made.object), made.sign.replace(" ", "").lower()
        if not is_number(value):
            return
        for step in _candidates(made.object, sign, made.operands):
            (operation,) = oracle.operations([step])
            held = _numbers_of(operation, self.seen.values)
            with suppress(ArithmeticError, ValueError, TypeError):
                if held and oracle.close(value, float(operation.compute(*held))):
                    made.operation = operation
                    made.operands = [ref for ref, _ in operation.slots if ref is not None]
                    if made.script is None:
                        made.label = self._written(step, operation)[:MAX_LABEL]
                    return

    def _written(self, step: Step, operation: Operation) -> str:
        """Return an operation as a person would write it."""
        texts = []
        for ref, number in operation.slots:
            known = self.made[ref].label if ref in self.made else BETWEEN
            text = number_label(number) if ref is None else known
            is_simple = re.fullmatch(r"-?[\w.]+(\([^()]*\))?", text)
            texts.append(text if is_simple else f"({text})")
        if isinstance(step, Apply):
            return f"-{texts[0]}" if step.op == "neg" else f" {step.op} ".join(texts)
        return f"{texts[0]}.{sign_of(step)}()"


def _candidates(thing: Ref, sign: str, below: Sequence[Ref]) -> Iterator[Step]:
    """Yield the operations of one or two operands that a sign may mean."""
    name = sign.removesuffix("()")
    power = re.fullmatch(r"(?:\*\*|\^|pow)\(?(-?\d+(?:\.\d*)?(?:e-?\d+)?)\)?", sign)
    if len(below) == 1:
        if name in FUNCTIONS:
            yield Call(thing, below[0], name, [])
        if sign in {"neg", "-", "u-"}:
            yield Apply(thing, "neg", [below[0]])
        if power:
            yield Apply(thing, "**", [below[0], float(power[1])])
    if sign in {"+", "*", "-", "/"} and 0 < len(below) <= 2:  # one: the same operand twice
        for first, second in permutations([*below, *below][:2]):
            yield Apply(thing, sign, [first, second])


def sign_of(step: Step) -> str:
    """Return an operation in a few letters."""
    if isinstance(step, Call):
        return step.method
    if isinstance(step, Apply):
        exponent = step.args[-1]
        if step.op == "**" and isinstance(exponent, (int, float)):
            return f"**{exponent:g}"
        return "-" if step.op == "neg" else step.op
    return type(step).__name__.lower()


def number_label(number: Any) -> str:
    """Return a number as a person writes it."""
    return f"{number:.6g}"


def _numbers_of(operation: Operation, values: Mapping[Ref, Any]) -> list[float]:
    """Return the numbers that an operation takes; none if one of them is unknown."""
    numbers = [number if ref is None else values.get(ref) for ref, number in operation.slots]
    return (
        [number for number in numbers if is_number(number)] if all(map(is_number, numbers)) else []
    )


def slopes(made: Made, values: Mapping[Ref, Any]) -> dict[Ref, list[float]]:
    """Return the local derivatives at the operands' values, one per use, or none if unknown."""
    found: dict[Ref, list[float]] = {}
    operation = made.operation
    if operation is not None and (numbers := _numbers_of(operation, values)):
        for place, (ref, _) in enumerate(operation.slots):
            # a power of a negative base has no derivative with respect to the exponent
            with suppress(ArithmeticError, ValueError, TypeError):
                if ref is not None:
                    slope = local_derivative(operation, numbers, place)
                    found.setdefault(ref, []).append(slope)
    return found


def right_numbers(
    seen: Observation, made: Mapping[Ref, Made]
) -> tuple[dict[Ref, float], dict[Ref, float]]:
    """Return the right value and gradient of every object, if known.

    The script knows its own objects' operands. The recorded operands of other objects count if they
    lead to the same numbers. Plain numbers are not judged.
    """
    circuit = seen.circuit
    scripted = {thing: node.script for thing, node in made.items() if node.script is not None}
    values = {thing: circuit.values[ref] for thing, ref in scripted.items()}
    gradients = {
        thing: circuit.gradients[ref] for thing, ref in scripted.items() if ref in circuit.gradients
    }
    between = [thing for thing, node in made.items() if node.script is None and not node.is_leaf]
    all_values: dict[Ref, float] = {}
    for thing, node in made.items():
        with suppress(ArithmeticError, ValueError, TypeError):
            if node.operation is not None:
                held = _numbers_of(node.operation, all_values)
                all_values[thing] = float(node.operation.compute(*held))
    if len(all_values) < len(made) or not _agree(all_values, values):
        return values, gradients
    values |= {thing: all_values[thing] for thing in between}
    root = seen.objects.get(circuit.root) if circuit.root is not None else None
    if root is not None:
        sent = dict.fromkeys(made, 0.0)
        sent[root] = 1.0 if circuit.upstream is None else circuit.upstream
        for thing in reversed([*made]):
            for operand, found in slopes(made[thing], all_values).items():
                sent[operand] += sum(found) * sent[thing]
        before = {thing: circuit.held.get(ref, 0.0) for thing, ref in scripted.items()}
        if _agree({thing: before[thing] + sent[thing] for thing in scripted}, gradients):
            gradients |= {thing: sent[thing] for thing in between}
    return values, gradients


def _agree(found: Mapping[Ref, float], wanted: Mapping[Ref, float]) -> bool:
    return all(oracle.close(found[thing], want) for thing, want in wanted.items())
