"""Make a trace of an expression, or of the script of a failure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from grader.curriculum.model import Graph
from grader.errors import CannotRun
from grader.judge.evidence import Evidence
from grader.judge.explain.circuit import Circuit, circuit_of
from grader.judge.oracle.expressions import Parsed
from grader.judge.script.steps import Step as ScriptStep
from grader.judge.session import Session
from grader.learner.tracing.graph import find_nodes, sign_of
from grader.learner.tracing.model import Node, Trace
from grader.learner.tracing.observe import Engine, observe
from grader.learner.tracing.steps import Narrator
from grader.learner.tracing.words import fault_text
from grader.model import Fault
from grader.worker.protocol import Ref


def trace_expression(parsed: Parsed, session: Session, words: Graph, module: str) -> Trace:
    """Return the graph of an expression and its backward pass.

    Raise CannotRun if the value cannot be computed.
    """
    circuit = Circuit(words, parsed.steps, parsed.labels, module, parsed.root, None)
    notes = [f"the result does not use `{name}`, so it is not shown" for name in parsed.unused]
    return _trace(circuit, session, parsed.labels, f"`{parsed.source}`", notes)


def trace_evidence(evidence: Evidence, session: Session, words: Graph, title: str) -> Trace | None:
    """Return the trace of a failure, or None if it has no graph or cannot be computed."""
    circuit = circuit_of(evidence, words)
    if circuit is None:
        return None
    labels = {ref: circuit.label(ref) for ref in circuit.values}
    try:
        return _trace(circuit, session, labels, title, [])
    except CannotRun:
        return None


def _trace(
    circuit: Circuit, session: Session, labels: Mapping[Ref, str], title: str, notes: list[str]
) -> Trace:
    engine = Engine(circuit, session)
    built = engine.run(circuit.steps, fresh=True)
    if built.fault is not None:
        raise _not_computed(built.fault, circuit.steps[built.index :], labels)
    seen = observe(engine)
    nodes = find_nodes(seen, labels)
    steps = Narrator(seen, nodes).steps()
    if _all_right(nodes.values()) and any(step.problems for step in steps):
        # it does not work node by node
        steps = Narrator(replace(seen, watched=False), nodes).steps()
    if not seen.graph and any(node.role == "operation" for node in nodes.values()):
        notes.append(
            f"this engine has no readable `{circuit.words.operands}`, so the graph shows the"
            " expression"
        )
    return Trace(title, tuple(nodes.values()), tuple(steps), tuple(notes))


def _all_right(nodes: Iterable[Node]) -> bool:
    """Return whether every number of the expression's own nodes is known and right."""
    return all(
        node.gradient.right is not None
        and not (node.value.wrong or node.gradient.wrong or node.unrecorded)
        for node in nodes
        if node.value.right is not None
    )


def _not_computed(
    fault: Fault, steps: tuple[ScriptStep, ...] | list[ScriptStep], labels: Mapping[Ref, str]
) -> CannotRun:
    """Say which operation the engine lacks, or what it does instead."""
    step = steps[0]
    what = labels.get(getattr(step, "target", None), "")[:60] or "the expression"  # type: ignore[arg-type]
    text = fault_text(fault, what).replace("`", "").rstrip(".")
    lacks = f"the expression cannot be computed without {sign_of(step)}"
    return CannotRun(text, lacks if sign_of(step) else "fix that first")
