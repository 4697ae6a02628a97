"""Observe the graph that the learner's engine builds, and each call of its backward pass.

Nothing is judged here. All data comes from the learner's process: plain values of limited size and
any type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grader.errors import CannotRun
from grader.judge.evidence import Reply, attempt
from grader.judge.explain.circuit import Circuit
from grader.judge.script.steps import WATCHED, Make, Read, Step, Watch
from grader.judge.session import Session
from grader.learner.tracing.words import fault_text
from grader.model import Fault, Kind
from grader.worker.protocol import INSERTED, Ref

_LISTS = dict.fromkeys(("nodes", "changed", "objects"), "refs") | dict.fromkeys(
    ("held", "after", "during", "at", "first", "last"), "value"
)


@dataclass(frozen=True)
class Observation:
    """An observation of the engine. `objects` maps each step of the script to the object it made.

    Several steps may make the same object. `graph` has the operands that the engine recorded,
    operands before results. `calls` holds the nodes whose own step ran and their gradients at that
    moment. `during` holds the nodes whose gradients each call changed, with their new gradients,
    and `between` the changes outside every call, by the number of calls that had begun. If the
    calls could not be `watched`, only the final gradients are known. `fault` is the cause if the
    backward pass was stopped.
    """

    circuit: Circuit
    objects: Mapping[Ref, Ref]
    graph: Mapping[Ref, Sequence[Ref]]
    values: Mapping[Ref, Any]
    signs: Mapping[Ref, Any]
    begun: Mapping[Ref, Any]
    gradients: Mapping[Ref, Any]
    calls: Sequence[tuple[Ref, Any]] = ()
    during: Mapping[int, Sequence[tuple[Ref, Any]]] = field(default_factory=dict)
    between: Mapping[int, Sequence[tuple[Ref, Any]]] = field(default_factory=dict)
    watched: bool = False
    fault: Fault | None = None


class Engine:
    """The graph of a circuit in a worker with the learner's code."""

    def __init__(self, circuit: Circuit, session: Session) -> None:
        self.circuit, self.session = circuit, session
        session.memory = session.memory.without_refusals()
        session.order = INSERTED

    def run(self, steps: Sequence[Step], *, fresh: bool = False) -> Reply:
        """Run more steps on the graph, or from the beginning."""
        return attempt(lambda: self.session.run(steps, fresh=fresh))

    def read(self, nodes: Iterable[Ref], attribute: str, form: str) -> dict[Ref, Any]:
        """Return an attribute of these objects, or nothing if one of them lacks it."""
        return self.ask({node: (node, attribute, form) for node in dict.fromkeys(nodes)})

    def ask(self, readings: Mapping[Any, tuple[Ref, str, str]]) -> dict[Any, Any]:
        """Return the readings by key, or nothing if one raises. Raise CannotRun if one never ends
        or needs too much memory.
        """
        reply = self.run([Read(*reading) for reading in readings.values()])
        if reply.fault is not None and reply.fault.kind is not Kind.RAISED:
            attribute = next(iter(readings.values()))[1]
            text = fault_text(reply.fault, f"reading .{attribute}").replace("`", "")
            raise CannotRun(text, "a trace needs the attributes of every node")
        return dict(zip(readings, reply.answers))


def observe(engine: Engine) -> Observation:
    """Read the graph that an engine has built, and run its backward pass. Raise CannotRun."""
    circuit, words = engine.circuit, engine.circuit.words
    objects = engine.read(circuit.values, "", "ref")
    root = circuit.root if circuit.root is not None else [*circuit.values][-1]
    # an engine without such an attribute has no graph
    asked = {"refs": (root, words.operands, "refs"), "graph": (root, words.operands, "graph")}
    graph = {node: list(below) for node, below in engine.ask(asked).get("graph", ())}

    def read(attribute: str, form: str) -> dict[Ref, Any]:
        """Return an attribute of all objects, or only of the script's own if the rest lack it."""
        known = engine.read([*graph, *objects.values()], attribute, form)
        return known or engine.read(objects.values(), attribute, form)

    gradients = read(words.gradient, "number")
    signs = read(words.op, "text") if words.op else {}
    found = Observation(
        circuit, objects, graph, read(words.data, "number"), signs, gradients, gradients
    )
    return found if circuit.root is None else _watched(found, circuit.root, engine)


def _watched(found: Observation, root: Ref, engine: Engine) -> Observation:
    """Add the backward pass, call by call if possible.

    Otherwise run it on a new graph and add only the final gradients.
    """
    circuit, words = found.circuit, found.circuit.words
    leaves: list[Any] = [step.target for step in circuit.steps if isinstance(step, Make)]
    walk = circuit.upstream is not None
    watch = Watch(
        WATCHED,
        root,
        words.operands,
        words.step,
        "" if walk else words.backward,
        words.gradient,
        also=[*found.objects],
        until=leaves if walk else [],
    )
    *seed, _ = circuit.begin()
    reply = engine.run([*seed, watch])
    # the worker is gone, and its record with it
    if reply.fault is not None and reply.fault.kind is not Kind.RAISED:
        return replace(found, fault=reply.fault)
    readings = {name: (WATCHED, name, form) for name, form in _LISTS.items()}
    record = engine.ask({**readings, "stopped": (WATCHED, "stopped", "value")})
    if all(isinstance(record.get(name), list) for name in _LISTS):
        are_counts = {type(count) for count in [*record["during"], *record["at"]]} <= {int}
        if are_counts and (record["nodes"] or not reply.fault):
            return _observed(found, record, reply)
    engine.run(circuit.steps, fresh=True)
    reply = engine.run(circuit.begin())
    gradients = {} if reply.fault else engine.read(found.objects.values(), words.gradient, "number")
    return replace(found, fault=reply.fault, gradients=gradients)


def _observed(found: Observation, record: Mapping[str, Any], reply: Reply) -> Observation:
    during = defaultdict[int, list[tuple[Ref, Any]]](list)
    between = defaultdict[int, list[tuple[Ref, Any]]](list)
    parts = (record[name] for name in ("changed", "after", "during", "at"))
    for node, after, call, begun in zip(*parts):
        (between[begun] if call < 0 else during[call]).append((node, after))
    root = found.objects.get(found.circuit.root)  # type: ignore[arg-type] # it has one
    seen = bool(record["nodes"]) or {*record["changed"]} <= {root}
    return replace(
        found,
        begun=dict(zip(record["objects"], record["first"])),
        gradients=dict(zip(record["objects"], record["last"])),
        calls=tuple(zip(record["nodes"], record["held"])),
        during=during,
        between=between,
        watched=seen,
        fault=Fault(Kind.TIMEOUT) if record["stopped"] else reply.fault,
    )
