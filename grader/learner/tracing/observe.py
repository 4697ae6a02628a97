"""Observe the graph that the learner's engine builds, and each call of its backward pass.

Nothing is judged here. All data comes from the learner's process: plain values of limited size and
any type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from grader.judge.evidence import Questions, Reply, attempt
from grader.judge.explain.circuit import Circuit
from grader.judge.script.steps import UNUSED, WATCHED, Expression, Follow, Make, Put, Step
from grader.judge.session import Session
from grader.model import Fault, Kind
from grader.worker.protocol import Ref

# A set iterates in the order of its objects' hashes, by default their addresses. With equal hashes
# a small set keeps the order of insertion, and two traces of one expression are the same.
IN_ORDER = "{node}.__hash__ is object.__hash__ and setattr({node}, '__hash__', lambda self: 0)"


class Changed(NamedTuple):
    """A gradient changed after `at` calls had begun, by the call `during` or by none (-1)."""

    node: Ref
    before: Any
    after: Any
    during: int
    at: int


@dataclass(frozen=True)
class Observation:
    """An observation of the engine. `objects` maps each step of the script to the object it made.

    Several steps may make the same object. `graph` has the operands that the engine recorded,
    operands before results. If the calls could not be `watched`, only the final gradients are
    known. `fault` is the cause if it was stopped, and `broken` the script's step at that point, or
    None in the backward pass.
    """

    circuit: Circuit
    objects: Mapping[Ref, Ref]
    graph: Mapping[Ref, Sequence[Ref]]
    values: Mapping[Ref, Any] = field(default_factory=dict)
    signs: Mapping[Ref, Any] = field(default_factory=dict)
    begun: Mapping[Ref, Any] = field(default_factory=dict)
    gradients: Mapping[Ref, Any] = field(default_factory=dict)
    calls: Sequence[tuple[Ref, Any]] = ()  # the nodes whose own step ran, and their gradients then
    changes: Sequence[Changed] = ()
    watched: bool = False
    endless: bool = False
    fault: Fault | None = None
    broken: Step | None = None


def observe(circuit: Circuit, session: Session) -> Observation:
    """Build the graph and run its backward pass on the code of a session."""
    prepare: list[Step] = [Expression(UNUSED, IN_ORDER.format(node=circuit.words.node))]
    fresh = attempt(lambda: session.run(prepare, fresh=True))
    build = _Builder(session, [*([] if fresh.fault else prepare), *circuit.steps])
    built = build.build()
    if built.fault is not None:
        broken = build.steps[min(built.index, len(build.steps) - 1)]
        return Observation(circuit, {}, {}, fault=built.fault, broken=broken)
    found = _graph(circuit, build)
    return found if circuit.root is None else _watched(found, circuit.root, build)


class _Builder:
    """Builds the graph as often as needed, with the same numbers for the same objects."""

    def __init__(self, session: Session, steps: list[Step]) -> None:
        self.session, self.steps, self._gone = session, steps, False

    def build(self) -> Reply:
        """Build it again, even with functions that a later question interrupted."""
        self.session.memory = self.session.memory.without_refusals()
        return self._run(self.steps, fresh=True)

    def go_on(self, steps: Sequence[Step]) -> Reply:
        """Run more steps on the graph. Build it again if its worker is gone."""
        if self._gone and (again := self.build()).fault is not None:
            return again
        return self._run(steps, fresh=False)

    def _run(self, steps: Sequence[Step], *, fresh: bool) -> Reply:
        reply = attempt(lambda: self.session.run(steps, fresh=fresh))
        self._gone = reply.fault is not None and reply.fault.kind is not Kind.RAISED
        return reply

    def read(self, nodes: Iterable[Ref], attribute: str, form: str) -> dict[Ref, Any]:
        """Return an attribute of these objects, if all of them have it."""
        asked = Questions()
        for node in nodes:
            asked.ask(node, node, attribute, form)
        answers = asked.answers(self.go_on)[0].items()
        return {node: answer for node, answer in answers if isinstance(node, Ref)}


def _graph(circuit: Circuit, build: _Builder) -> Observation:
    """Return the graph as built, without operands or signs if the engine records none."""
    words, made = circuit.words, list(circuit.values)
    found = build.read(made, "", "ref")
    objects = {node: answer for node, answer in found.items() if isinstance(answer, Ref)}
    root = circuit.root if circuit.root is not None else made[-1]
    asked = Questions()
    # an engine without such an attribute has no graph
    asked.ask("operands", root, words.operands, "refs")
    asked.ask("graph", root, words.operands, "graph")
    answers, _ = asked.answers(build.go_on)
    graph = {node: list(below) for node, below in answers.get("graph", ())}

    def read(attribute: str, form: str) -> dict[Ref, Any]:
        """Return an attribute of all objects, or only of the script's own if the rest lack it."""
        known = build.read(dict.fromkeys([*graph, *objects.values()]), attribute, form)
        return known or build.read(dict.fromkeys(objects.values()), attribute, form)

    values = read(words.data, "number")
    signs = read(words.op, "text") if words.op else {}
    return Observation(circuit, objects, graph, values, signs, read(words.gradient, "number"))


def _watched(found: Observation, root: Ref, build: _Builder) -> Observation:
    """Add the backward pass, call by call if possible.

    Otherwise run it on a new graph and add only the final gradients.
    """
    circuit, words = found.circuit, found.circuit.words
    leaves: list[Any] = [step.target for step in circuit.steps if isinstance(step, Make)]
    walk = circuit.upstream is not None
    seed: list[Step] = [*circuit.hold()]
    if walk:
        seed.append(Put(root, words.gradient, circuit.upstream))
    follow = Follow(
        WATCHED,
        root,
        words.operands,
        [*found.objects],
        words.step,
        "" if walk else words.backward,
        words.gradient,
        leaves if walk else [],
    )
    reply = build.go_on([*seed, follow])
    # the worker is gone, and its record with it
    if reply.fault is not None and reply.fault.kind is not Kind.RAISED:
        return replace(found, fault=reply.fault)
    record = _record_of(build)
    if record and (record["nodes"] or reply.fault is None):
        return _observed(found, record, reply)
    build.build()
    reply = build.go_on(circuit.begin())
    objects = dict.fromkeys(found.objects.values())
    gradients = {} if reply.fault else build.read(objects, words.gradient, "number")
    return replace(found, fault=reply.fault, gradients=gradients)


def _observed(found: Observation, record: Mapping[str, Any], reply: Reply) -> Observation:
    calls = tuple(zip(record["nodes"], record["held"]))
    parts = (record[name] for name in ("changed", "before", "after", "during", "at"))
    changes = tuple(map(Changed._make, zip(*parts)))
    root = found.objects.get(found.circuit.root)  # type: ignore[arg-type] # it has one
    seen = bool(calls) or all(change.node == root for change in changes)
    return replace(
        found,
        begun=dict(zip(record["objects"], record["first"])),
        gradients=dict(zip(record["objects"], record["last"])),
        calls=calls,
        changes=changes if seen else (),
        watched=seen,
        endless=bool(record["stopped"]),
        fault=reply.fault,
    )


_PARTS = dict.fromkeys(("nodes", "changed", "objects"), "refs") | dict.fromkeys(
    ("held", "before", "after", "during", "at", "first", "last", "stopped"), "value"
)


def _record_of(build: _Builder) -> dict[str, Any]:
    """Return the record of the pass, or nothing if it does not have the right form."""
    asked = Questions()
    for name, form in _PARTS.items():
        asked.ask(name, WATCHED, name, form)
    record = {str(name): answer for name, answer in asked.answers(build.go_on)[0].items()}
    if not all(isinstance(record.get(name), list) for name in _PARTS if name != "stopped"):
        return {}
    whole = all(type(number) is int for name in ("during", "at") for number in record[name])
    return record if whole else {}
