"""Observe the graph that the learner's engine builds, and each call of its backward pass.

Nothing is judged here. All data comes from the learner's process: plain values of limited size and
any type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from grader.judge.diagnosis.circuit import Circuit
from grader.judge.diagnosis.evidence import Questions, Reply, attempt
from grader.judge.script.steps import Expression, Follow, Make, Put, Step
from grader.judge.session import Session
from grader.model import Fault, Kind
from grader.worker.protocol import UNUSED, WATCHED, Ref

# A set iterates in the order of its objects' hashes, by default their addresses. With equal hashes
# a small set keeps the order of insertion, and two traces of one expression are the same.
IN_ORDER = "{node}.__hash__ is object.__hash__ and setattr({node}, '__hash__', lambda self: 0)"


class Called(NamedTuple):
    """A node's own step ran while it held this gradient."""

    node: Ref
    held: Any


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
    known. `fault` is what stopped it, and `broken` the step of the script that it stopped, or None
    for the backward pass.
    """

    circuit: Circuit
    objects: Mapping[Ref, Ref]
    graph: Mapping[Ref, Sequence[Ref]]
    values: Mapping[Ref, Any] = field(default_factory=dict)
    signs: Mapping[Ref, Any] = field(default_factory=dict)
    begun: Mapping[Ref, Any] = field(default_factory=dict)
    gradients: Mapping[Ref, Any] = field(default_factory=dict)
    calls: Sequence[Called] = ()
    changes: Sequence[Changed] = ()
    watched: bool = False
    endless: bool = False
    fault: Fault | None = None
    broken: Step | None = None


def observe(circuit: Circuit, session: Session) -> Observation:
    """Build the graph and run its backward pass on the code of a session."""
    words = circuit.words
    prepare: list[Step] = [Expression(UNUSED, IN_ORDER.format(node=words.node))]
    fresh = attempt(lambda: session.run(prepare, fresh=True))
    build = _Builder(circuit, session, [] if fresh.fault else prepare)
    built = build.build()
    if built.fault is not None:
        steps = [*build.prepare, *circuit.steps]
        return Observation(
            circuit, {}, {}, fault=built.fault, broken=steps[min(built.index, len(steps) - 1)]
        )
    found = build.look()
    if circuit.root is None:
        return found
    return _watched(found, build)


class _Builder:
    """Builds the graph as often as needed, with the same numbers for the same objects."""

    def __init__(self, circuit: Circuit, session: Session, prepare: list[Step]) -> None:
        self.circuit, self.session, self.prepare, self._gone = circuit, session, prepare, False

    def build(self) -> Reply:
        """Build it again, with the functions that a later question interrupted."""
        self.session.memory = self.session.memory.without_refusals()
        return self._run([*self.prepare, *self.circuit.steps], fresh=True)

    def go_on(self, steps: Sequence[Step]) -> Reply:
        """Run more steps on the graph. Build it again if its worker is gone."""
        if self._gone and (again := self.build()).fault is not None:
            return again
        return self._run(steps, fresh=False)

    def _run(self, steps: Sequence[Step], *, fresh: bool) -> Reply:
        reply = attempt(lambda: self.session.run(steps, fresh=fresh))
        self._gone = reply.fault is not None and reply.fault.kind is not Kind.RAISED
        return reply

    def look(self) -> Observation:
        """Return what was built, without operands or signs if the engine records none."""
        circuit, words, run = self.circuit, self.circuit.words, self.go_on
        made = list(circuit.values)
        asked = Questions()
        for node in made:
            asked.ask(node, node, "", "ref")
        objects = {
            node: answer
            for node, answer in asked.answers(run)[0].items()
            if isinstance(node, Ref) and isinstance(answer, Ref)
        }
        root = circuit.root if circuit.root is not None else made[-1]
        asked = Questions()
        # an engine without such an attribute has no graph
        asked.ask("operands", root, words.operands, "refs")
        asked.ask("graph", root, words.operands, "graph")
        answers, _ = asked.answers(run)
        graph = {node: list(below) for node, below in answers.get("graph", ())}
        known, own = list(dict.fromkeys([*graph, *objects.values()])), list(objects.values())
        values = self.read(known, own, words.data, "number")
        signs = self.read(known, own, words.op, "text") if words.op else {}
        begun = self.read(known, own, words.gradient, "number")
        return Observation(circuit, objects, graph, values, signs, begun)

    def read(
        self, nodes: Iterable[Ref], own: Iterable[Ref], attribute: str, form: str
    ) -> dict[Ref, Any]:
        """Return an attribute of these objects, or only of the script's `own` if others lack it."""
        for some in (nodes, own):
            asked = Questions()
            for node in dict.fromkeys(some):
                asked.ask(node, node, attribute, form)
            if answers := asked.answers(self.go_on)[0]:
                return {node: answer for node, answer in answers.items() if isinstance(node, Ref)}
        return {}


def _watched(found: Observation, build: _Builder) -> Observation:
    """Add the backward pass, call by call if possible.

    Otherwise run it on a new graph and add only the final gradients.
    """
    circuit, words = found.circuit, found.circuit.words
    assert circuit.root is not None
    leaves: list[Any] = [step.target for step in circuit.steps if isinstance(step, Make)]
    also: list[Any] = list(found.objects)
    walk = circuit.upstream is not None
    seed: list[Step] = [
        *circuit.hold(),
        *([Put(circuit.root, words.gradient, circuit.upstream)] if walk else []),
    ]
    call = "" if walk else words.backward
    follow = Follow(
        WATCHED,
        circuit.root,
        words.operands,
        also,
        words.step,
        call,
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
    return _unwatched(found, build)


def _observed(found: Observation, record: Mapping[str, Any], reply: Reply) -> Observation:
    calls = tuple(Called(*pair) for pair in zip(record["nodes"], record["held"]))
    changes = tuple(
        Changed(*parts)
        for parts in zip(*(record[name] for name in ("changed", "before", "after", "during", "at")))
    )
    seen = bool(calls) or all(
        change.node == found.objects.get(found.circuit.root)  # type: ignore[arg-type]
        for change in changes
    )
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


def _unwatched(found: Observation, build: _Builder) -> Observation:
    build.build()
    reply = build.go_on(found.circuit.begin())
    if reply.fault is not None:
        return replace(found, fault=reply.fault)
    gradients = build.read(
        found.objects.values(), found.objects.values(), found.circuit.words.gradient, "number"
    )
    return replace(found, gradients=gradients)


_PARTS = dict.fromkeys(("nodes", "changed", "objects"), "refs") | dict.fromkeys(
    ("held", "before", "after", "during", "at", "first", "last", "stopped"), "value"
)


def _record_of(build: _Builder) -> dict[str, Any]:
    """Return the record of the pass, or nothing if it does not have the right form."""
    asked = Questions()
    for name, form in _PARTS.items():
        asked.ask(name, WATCHED, name, form)
    answers, _ = asked.answers(build.go_on)
    record = {str(name): answer for name, answer in answers.items()}
    lists = [record.get(name) for name in _PARTS if name != "stopped"]
    if not all(isinstance(part, list) for part in lists):
        return {}
    whole = all(type(number) is int for name in ("during", "at") for number in record[name])
    return record if whole else {}
