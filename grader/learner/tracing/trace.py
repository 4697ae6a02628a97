"""Make a trace of an expression, or of the script of a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.curriculum.model import Graph
from grader.errors import CannotRun
from grader.judge import oracle
from grader.judge.evidence import Evidence
from grader.judge.explain.circuit import Circuit, circuit_of
from grader.judge.oracle.expressions import Parsed
from grader.judge.script.steps import Call, Make
from grader.judge.session import Session
from grader.learner.tracing.graph import Made, Resolver, is_number, right_numbers, sign_of
from grader.learner.tracing.model import Node, Role, Step, Trace
from grader.learner.tracing.observe import Observation, observe
from grader.learner.tracing.steps import MAX_STEPS, Narrator, plain
from grader.learner.tracing.words import fault_text
from grader.model import Fault, Kind
from grader.worker.protocol import Ref


def trace_expression(parsed: Parsed, session: Session, words: Graph, module: str) -> Trace:
    """Return the graph of an expression and its backward pass.

    Raise CannotRun if the value cannot be computed.
    """
    circuit = Circuit(words, parsed.steps, parsed.labels, module, parsed.root, None)
    notes = [f"the result does not use `{name}`, so it is not shown" for name in parsed.unused]
    return _trace(circuit, session, parsed.labels, f"`{parsed.source}`", dict(parsed.given), notes)


def trace_evidence(evidence: Evidence, session: Session, words: Graph, title: str) -> Trace | None:
    """Return the trace of a failure, or None if it has no graph or cannot be computed."""
    circuit = circuit_of(evidence.steps, evidence.names, evidence.module, words)
    if circuit is None:
        return None
    labels = {ref: circuit.label(ref) for ref in circuit.values}
    try:
        return _trace(circuit, session, labels, title, {}, [])
    except CannotRun:
        return None


def _trace(  # noqa: PLR0913, PLR0917
    circuit: Circuit,
    session: Session,
    labels: Mapping[Ref, str],
    title: str,
    given: Mapping[str, float],
    notes: list[str],
) -> Trace:
    seen = observe(circuit, session)
    if seen.fault is not None and not seen.objects:
        raise _not_computed(seen, seen.fault, labels)
    made = Resolver(seen, labels).resolve()
    values, gradients = right_numbers(seen, made)
    places = {thing: index for index, thing in enumerate(made)}
    ended = seen.fault is None and not seen.endless
    nodes = tuple(
        _node(node, seen, places, values.get(thing), gradients.get(thing) if ended else None)
        for thing, node in made.items()
    )
    narrator = Narrator(seen, made, nodes)
    steps = [*narrator.forward(), *narrator.backward()]
    if (
        ended
        and circuit.root is not None
        and _all_right(nodes)
        and any(step.problems for step in steps)
    ):
        steps = [_doubtless(step) for step in steps]
        notes.append(
            "every gradient is right at the end, although this engine does not work node by node"
        )
    if len(steps) > MAX_STEPS:
        notes.append(f"showing the first {MAX_STEPS - 1} of {len(steps)} steps, and the last")
        steps = [*steps[: MAX_STEPS - 1], steps[-1]]
    if not seen.graph and any(not node.is_leaf for node in made.values()):
        notes.append(
            f"this engine has no readable `{circuit.words.operands}`, so the graph shows the"
            " expression"
        )
    return Trace(title, tuple(given.items()), nodes, tuple(steps), tuple(notes))


def _node(
    made: Made,
    seen: Observation,
    places: Mapping[Ref, int],
    value: float | None,
    gradient: float | None,
) -> Node:
    got_value, got_gradient = seen.values.get(made.object), seen.gradients.get(made.object)
    leaf: Role = "constant" if made.script is None else "leaf"
    judged = gradient is not None and made.object in seen.gradients
    return Node(
        made.label,
        made.sign,
        leaf if made.is_leaf else "operation",
        tuple(places[operand] for operand in made.operands if operand in places),
        plain(got_value),
        value,
        plain(got_gradient),
        gradient,
        wrong_value=value is not None and not _is(got_value, value),
        wrong_gradient=judged and gradient is not None and not _is(got_gradient, gradient),
        unrecorded=tuple(places[operand] for operand in made.unrecorded if operand in places),
        lost=made.lost,
    )


def _all_right(nodes: Sequence[Node]) -> bool:
    """Return whether every number of the expression's own nodes is known and right."""
    return all(
        node.right_gradient is not None
        and not (node.wrong_value or node.wrong_gradient or node.lost or node.unrecorded)
        for node in nodes
        if node.role == "leaf" or node.right_value is not None
    )


def _doubtless(step: Step) -> Step:
    """Return a step without the problems that the correct final gradients disprove."""
    growths = tuple(replace(growth, slopes=(), wrong=False) for growth in step.growths)
    return replace(step, growths=growths, problems=()) if step.problems else step


def _is(got: Any, want: float) -> bool:
    return is_number(got) and oracle.close(got, want)


def _not_computed(seen: Observation, fault: Fault, labels: Mapping[Ref, str]) -> CannotRun:
    """Say which operation the engine lacks, or what it does instead."""
    step = seen.broken
    target: Ref | None = getattr(step, "target", None)
    part = labels.get(target, "") if target is not None else ""
    what = part[:60] or "the expression"
    text = fault_text(fault, what).replace("`", "").rstrip(".")
    if fault.kind is Kind.RAISED and fault.stub:
        return CannotRun(text, f"{what} needs it")
    if isinstance(step, Call) and fault.message.endswith(f"has no attribute '{step.method}'"):
        return CannotRun(f"{step.method} is not written yet", f"{what} needs it")
    sign = "" if step is None or isinstance(step, Make) else sign_of(step)
    return CannotRun(
        text, f"the expression cannot be computed without {sign}" if sign else "fix that first"
    )
