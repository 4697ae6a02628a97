"""Make more scripts like a failing one: with other numbers, or from its operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from grader.curriculum.model import Graph
from grader.judge import oracle
from grader.judge.evidence import Evidence
from grader.judge.explain.circuit import Circuit, is_cut, is_leaf
from grader.judge.oracle import programs
from grader.judge.oracle.programs import Form, Program
from grader.judge.script.steps import UNUSED, Apply, Call, Make, Put, Read, Step, Walk
from grader.model import Kind
from grader.worker.protocol import Ref

VARIATIONS = 3
GRAPHS = 16  # and as many with their operands exchanged
PER_FORM = 6
ANOTHER = 1_000  # a number that no object of a script has


def took_too_long(evidence: Evidence) -> bool:
    """Return whether the failing script did not end in time."""
    return evidence.fault is not None and evidence.fault.kind is Kind.TIMEOUT


def script_of(evidence: Evidence, circuit: Circuit | None) -> list[Step]:
    """Return the script with the value and gradient of every node read at the end.

    A long loop is cut down to a few rounds. Return nothing if that is impossible, or if the script
    did not end and would not end again.
    """
    is_long = took_too_long(evidence) or evidence.long or is_cut(evidence)
    if circuit is None:
        asked = [Read(*evidence.failed, "value")] if evidence.failed else []
        return [] if is_long else [*evidence.steps, *asked]
    if is_long:
        kept = [*circuit.steps, *circuit.begin()]
    else:
        numbers = evidence.form == "number"  # a graph may be right in many ways
        unasked = {"number", "graph", "refs"} if numbers else {"number"}
        kept = [step for step in evidence.steps if getattr(step, "form", "") not in unasked]
    made = set(oracle.evaluate(kept))
    return kept + [
        Read(node, name, "number")
        for node in sorted(made)
        for name in (circuit.words.data, circuit.words.gradient)
    ]


def variations(script: Sequence[Step]) -> Iterator[list[Step]]:
    """Return the script with different numbers in its leaves. Equal numbers stay equal."""
    varied = (_varied(script, shift) for shift in range(1, len(programs.LEAVES)))
    return islice(filter(_tame, varied), VARIATIONS)


def with_another_result(script: Sequence[Step], circuit: Circuit) -> list[list[Step]]:
    """Return a script of several backward passes with one more, from another result of its leaves.
    Cleared gradients differ there from nodes that run only once. Return nothing for other scripts.
    """
    passes = [each for each in script if each.calls == circuit.words.backward]
    leaves = [step.target for step in circuit.steps if is_leaf(step) and step.target is not None]
    if len(passes) < 2 or not leaves:
        return []
    new = Ref(max(leaves) + ANOTHER)
    more: list[Step] = [
        Apply(new, "+", [leaves[0], leaves[-1]]),
        Call(UNUSED, new, circuit.words.backward, []),
    ]
    reads = [each for each in script if isinstance(each, Read)]
    return [[*(each for each in script if each not in reads), *more, *reads]]


def elsewhere(script: Sequence[Step], words: Graph | None) -> Iterator[list[Step]]:
    """For a script that builds no graph, yield it with other numbers, and with its last call
    repeated.

    Whole numbers are sizes, which stay if the script sets the numbers of the objects it makes.
    """
    sizes = not any(isinstance(step, Put) for step in script)
    yield [_moved(step, sizes=sizes) for step in script]
    *before, last = script
    if words is not None and isinstance(last, Read) and last.form == "value":
        path = f"{last.attribute}.{words.data}".lstrip(".")  # it may be an object with a number
        yield [*before, Read(last.on, path, "number")]
    calls = [place for place, step in enumerate(script) if isinstance(step, Call)]
    if calls:
        yield [*script[: calls[-1]], *[script[calls[-1]]] * 2, *script[calls[-1] :]]


def with_other_types(script: Sequence[Step]) -> list[Step]:
    """Return the script with a float for each int among the plain operands, and the reverse."""
    other: dict[type, Callable[[Any], Any]] = {int: lambda number: number + 0.5, float: int}
    return [
        replace(step, args=[other.get(type(arg), lambda same: same)(arg) for arg in step.args])
        if isinstance(step, Apply)
        else step
        for step in script
    ]


def _moved(step: Step, *, sizes: bool) -> Step:
    """Return a step with other numbers."""
    count = 0

    def moved(value: Any) -> Any:
        nonlocal count
        if isinstance(value, (list, tuple)):
            return [moved(item) for item in value]
        count += 1
        if type(value) is float:
            return value + count / 16
        return value + count if sizes and type(value) is int else value

    if isinstance(step, (Make, Call)):
        return replace(step, args=[moved(each) for each in step.args])
    return replace(step, value=moved(step.value)) if isinstance(step, Put) else step


def _varied(script: Sequence[Step], shift: int) -> list[Step]:
    numbers: dict[float, float] = {}

    def varied(step: Step) -> Step:
        match step:
            case Make(args=[int() | float() as old, *others]):
                place = (5 * shift + 3 * len(numbers)) % len(programs.LEAVES)
                new = numbers.setdefault(old, programs.LEAVES[place])
                return replace(step, args=[new, *others])
        return step

    return list(map(varied, script))


def _tame(script: Sequence[Step]) -> bool:
    try:
        values = oracle.evaluate(script)
        return all(
            isinstance(value, (int, float)) and abs(value) < 1e3 for value in values.values()
        )
    except (ArithmeticError, ValueError):
        return False


def others(circuit: Circuit) -> Iterator[list[Step]]:
    """Yield scripts made from this one's operations, joined by + and *.

    If the failing script ends with a backward pass, so do these.
    """
    forms = tuple(
        dict.fromkeys(form for step in circuit.operations if (form := _form(step)) is not None)
    )
    make = circuit.words.make
    for form in forms:
        choose = programs.choices(0, f"told apart {form.op}{form.operands}").choice
        for number in range(PER_FORM):
            program, operands = programs.focus(make, form, choose, choose, inside=number > 1)
            yield _asking(circuit, program, operands)
    if circuit.upstream is None and circuit.root is not None:
        draw = programs.choices(0, "told apart")
        joined = (*forms, Form("+", "vv"), Form("*", "vv"))
        for number in range(GRAPHS):
            program = programs.graph(make, joined, draw.choice)
            yield _asking(circuit, program, None, twice=number % 4 == 3)
            mirrored = [_mirrored(step) for step in program.steps]
            yield _asking(circuit, replace(program, steps=mirrored), None)


def _mirrored(step: Step) -> Step:
    """Return a sum or a product with its operands exchanged: a walk may go by their order."""
    if not isinstance(step, Apply) or step.op not in {"+", "*"}:
        return step
    return replace(step, args=step.args[::-1])


def _form(step: Step) -> Form | None:
    if isinstance(step, Apply):
        return Form(step.op, "".join("v" if isinstance(arg, Ref) else "k" for arg in step.args))
    return Form(step.method, "v") if isinstance(step, Call) else None


def _asking(
    circuit: Circuit, program: Program, operands: Sequence[Ref] | None, *, twice: bool = False
) -> list[Step]:
    words, steps = circuit.words, list(program.steps)
    end = Ref(len(program.values) + 1)
    if operands is not None and circuit.upstream is not None:
        steps += [Put(operand, words.gradient, 0.25) for operand in operands]
        steps += [
            Put(program.root, words.gradient, -1.5),
            Walk(program.root, words.operands, words.step, list(operands)),
        ]
        # a step may be attached to an operand by mistake
        steps += [Call(end, operand, words.step, []) for operand in operands]
    elif circuit.root is not None:
        steps += [Call(end, program.root, words.backward, [])] * (2 if twice else 1)
    return steps + [
        Read(node, name, "number")
        for node in program.values
        for name in (words.data, words.gradient)
    ]
