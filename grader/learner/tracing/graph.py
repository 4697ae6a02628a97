"""Turn an observation into nodes, each with its operation, operands and right numbers.

An engine may build more nodes than the expression has operations, such as `a + b * -1` for `a - b`.
The right value of such an intermediate node is known only if the engine's own sign, applied to its
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
from grader.judge.script.steps import Apply, Builtin, Call, Make, Operand, Step
from grader.learner.tracing.observe import Observation
from grader.text import safe
from grader.worker.protocol import Ref

MAX_LABEL = 2_000
MAX_OPERANDS = 20
BETWEEN = "an intermediate node"


@dataclass
class Made:
    """An object of the engine: its label, its operands, and the step that made it, if known."""

    object: Ref
    label: str
    sign: str
    is_leaf: bool
    script: Ref | None = None
    step: Step | None = None
    operands: list[Ref] = field(default_factory=list)
    unrecorded: list[Ref] = field(default_factory=list)
    lost: bool = False

    @property
    def operation(self) -> Operation | None:
        """Return how the oracle computes it."""
        if self.step is None or self.is_leaf:
            return None
        return next(iter(oracle.operations([self.step])), None)


def resolve(seen: Observation, labels: Mapping[Ref, str]) -> dict[Ref, Made]:
    """Return every object, operands first, in the order in which the expression makes them."""
    return _Resolver(seen, labels).resolve()


def is_number(answer: Any) -> TypeGuard[float]:
    """Return whether an answer is a number."""
    return type(answer) in {int, float}


class _Resolver:
    def __init__(self, seen: Observation, labels: Mapping[Ref, str]) -> None:
        self.seen, self.labels = seen, labels
        self.made: dict[Ref, Made] = {}
        self.first: dict[Ref, Ref] = {}  # the first step of the script that gave each object
        for node, thing in seen.objects.items():
            self.first.setdefault(thing, node)

    def resolve(self) -> dict[Ref, Made]:
        circuit = self.seen.circuit
        for step in circuit.steps:
            node: Ref = step.target  # type: ignore[assignment] # a circuit has no other steps
            thing = self.seen.objects.get(node)
            if thing is None or thing in self.made:
                continue
            for hidden in self._below(thing):
                self.made[hidden] = self._hidden(hidden)
            self.made[thing] = self._scripted(thing, node, step)
        for thing in self.seen.graph:  # connected, but not made by the script
            if thing not in self.made:
                self.made[thing] = self._hidden(thing)
        for made in self.made.values():
            made.lost = bool(self.seen.graph) and made.object not in self.seen.graph
        return self.made

    def _below(self, thing: Ref) -> Iterator[Ref]:
        """Yield the intermediate objects that this one was made of, operands first."""
        order: list[Ref] = []
        met: set[Ref] = set()
        todo = [(thing, False)]
        while todo:
            node, done = todo.pop()
            if done:
                order.append(node)
            elif node in met:  # there may be cycles
                continue
            elif node == thing or (node not in self.first and node not in self.made):
                met.add(node)
                todo.append((node, True))
                todo += [(child, False) for child in reversed(self.seen.graph.get(node, ()))]
        return iter(order[:-1])

    def _label(self, thing: Ref) -> str:
        return self.made[thing].label if thing in self.made else BETWEEN

    def _hidden(self, thing: Ref) -> Made:
        below = list(self.seen.graph.get(thing, ()))
        value = self.seen.values.get(thing)
        if not below and is_number(value):
            step = Make(thing, self.seen.circuit.words.make, [value])
            return Made(thing, number_label(value), "", is_leaf=True, step=step)
        if not below:
            return Made(thing, BETWEEN, "", is_leaf=True)
        made = Made(thing, BETWEEN, self._sign(thing), is_leaf=False, operands=below)
        self._interpret(made, below)
        if made.step is not None:
            made.label = written(made.step, self._label)
        return made

    def _scripted(self, thing: Ref, node: Ref, step: Step) -> Made:
        label = self.labels.get(node, BETWEEN)[:MAX_LABEL]
        if isinstance(step, Make):
            own = Make(thing, step.function, step.args)
            return Made(thing, label, "", is_leaf=True, script=node, step=own)
        below = list(self.seen.graph.get(thing, ()))
        made = Made(thing, label, sign_of(step), is_leaf=False, script=node, operands=below)
        if not self._as_written(made, step, below):
            made.sign = self._sign(thing) or made.sign
            self._interpret(made, below)
        return made

    def _as_written(self, made: Made, step: Step, below: Sequence[Ref]) -> bool:
        """Return whether the operands are those of the script, or some of them.

        A plain number may have become a node.
        """
        (operation,) = oracle.operations([step])
        spare = [child for child in below if child not in self.seen.objects.values()]
        numbers = [number for ref, number in operation.slots if ref is None]
        wanted = [self.seen.objects.get(ref) for ref, _ in operation.slots if ref is not None]
        others = set(below) - {ref for ref in wanted if ref is not None} - set(spare)
        if others or len(spare) > len(numbers) or None in wanted:
            return False
        args: list[Operand] = []
        for ref, number in operation.slots:
            held = (child for child in spare if ref is None and self._holds(child, number))
            match = next(held, None)
            if match is not None:
                spare.remove(match)
            arg: Operand = number if match is None else match
            args.append(self.seen.objects[ref] if ref is not None else arg)
        if spare:
            return False
        made.step = with_args(step, made.object, args)
        made.operands = [arg for arg in args if isinstance(arg, Ref)]
        made.unrecorded = [
            ref
            for ref in dict.fromkeys(made.operands)
            if ref not in below and made.object in self.seen.graph
        ]
        return True

    def _holds(self, thing: Ref, number: float) -> bool:
        value = self.seen.values.get(thing)
        return is_number(value) and not self.seen.graph.get(thing) and oracle.close(value, number)

    def _sign(self, thing: Ref) -> str:
        sign = self.seen.signs.get(thing)
        return safe(sign.strip(), 12) if isinstance(sign, str) else ""

    def _interpret(self, made: Made, below: Sequence[Ref]) -> None:
        """Set the node's step to the operation named by `_op`, if that gives its value."""
        value, sign = self.seen.values.get(made.object), made.sign.replace(" ", "").lower()
        if not is_number(value) or not 0 < len(below) <= MAX_OPERANDS:
            return
        for step in _candidates(made.object, sign, below):
            (operation,) = oracle.operations([step])
            held = _numbers_of(operation, self.seen.values)
            with suppress(ArithmeticError, ValueError, TypeError):
                if held and oracle.close(value, float(operation.compute(*held))):
                    made.step = step
                    made.operands = [ref for ref, _ in operation.slots if ref is not None]
                    return


def _candidates(thing: Ref, sign: str, below: Sequence[Ref]) -> Iterator[Step]:
    name = sign.removesuffix("()")
    power = re.fullmatch(r"(?:\*\*|\^|pow)\(?(-?\d+(?:\.\d*)?(?:e-?\d+)?)\)?", sign)
    if len(below) == 1:
        if name in FUNCTIONS:
            yield Call(thing, below[0], name, [])
        if sign in {"neg", "-", "u-"}:
            yield Apply(thing, "neg", [below[0]])
        if power:
            yield Apply(thing, "**", [below[0], float(power[1])])
        if sign in {"+", "*", "-", "/"}:  # the same operand twice
            yield Apply(thing, sign, [below[0], below[0]])
    elif len(below) == 2 and sign in {"+", "*", "-", "/"}:
        for first, second in permutations(below):
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


def with_args(step: Step, target: Ref, args: list[Operand]) -> Step:
    """Return the same operation on other operands."""
    if isinstance(step, Apply):
        return Apply(target, step.op, args)
    if isinstance(step, Call):
        assert isinstance(args[0], Ref)
        return Call(target, args[0], step.method, [])
    assert isinstance(step, Builtin)
    return Builtin(target, step.function, [args])


def written(step: Step, label: Any) -> str:
    """Return an operation on nodes with these labels as a person would write it."""

    def operand(arg: Operand) -> str:
        text = label(arg) if isinstance(arg, Ref) else number_label(arg)
        return text if re.fullmatch(r"-?[\w.]+(\([^()]*\))?", text) else f"({text})"

    if isinstance(step, Call):
        return f"{operand(step.on)}.{step.method}()"[:MAX_LABEL]
    assert isinstance(step, Apply)
    if step.op == "neg":
        return f"-{operand(step.args[0])}"[:MAX_LABEL]
    left, right = map(operand, step.args)
    return f"{left} {step.op} {right}"[:MAX_LABEL]


def number_label(number: Any) -> str:
    """Return a number as a person writes it."""
    return f"{number:.6g}"


def _numbers_of(operation: Operation, values: Mapping[Ref, Any]) -> list[float]:
    """Return the numbers that an operation takes; none if one of them is unknown."""
    slots = operation.slots
    numbers: list[Any] = [number if ref is None else values.get(ref) for ref, number in slots]
    return numbers if all(map(is_number, numbers)) else []


def slopes(made: Made, values: Mapping[Ref, Any]) -> dict[Ref, list[float]]:
    """Return the local derivatives at the operands' values, one per use, or none if unknown."""
    operation = made.operation
    numbers = _numbers_of(operation, values) if operation is not None else []
    if operation is None or not numbers:
        return {}
    found: dict[Ref, list[float]] = {}
    for place, (ref, _) in enumerate(operation.slots):
        if ref is not None:
            # a power of a negative base has no derivative with respect to the exponent
            with suppress(ArithmeticError, ValueError, TypeError):
                found.setdefault(ref, []).append(local_derivative(operation, numbers, place))
    return found


def right_numbers(
    seen: Observation, made: Mapping[Ref, Made]
) -> tuple[dict[Ref, float], dict[Ref, float]]:
    """Return the right value and gradient of every object, as far as they are known."""
    circuit = seen.circuit
    scripted = {thing: node.script for thing, node in made.items() if node.script is not None}
    values = {thing: circuit.values[ref] for thing, ref in scripted.items()}
    gradients = {
        thing: circuit.gradients[ref] for thing, ref in scripted.items() if ref in circuit.gradients
    }
    steps = [node.step for node in made.values() if node.step is not None]
    if len(scripted) == len(made) or len(steps) < len(made):
        return values, gradients
    root = seen.objects.get(circuit.root) if circuit.root is not None else None
    try:
        all_values = oracle.evaluate(steps)
        all_gradients = oracle.gradients(steps, root, list(made)) if root is not None else {}
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return values, gradients
    scale = 1.0 if circuit.upstream is None else circuit.upstream
    # plain numbers are not judged
    between = [thing for thing, node in made.items() if node.script is None and not node.is_leaf]
    if all(oracle.close(all_values[thing], want) for thing, want in values.items()):
        values |= {thing: all_values[thing] for thing in between}
        held = {thing: circuit.held.get(ref, 0.0) for thing, ref in scripted.items()}
        if all(
            oracle.close(held[thing] + all_gradients[thing] * scale, want)
            for thing, want in gradients.items()
        ):
            gradients |= {thing: all_gradients[thing] * scale for thing in between}
    return values, gradients
