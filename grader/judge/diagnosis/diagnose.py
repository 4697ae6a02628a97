"""Diagnose a failure: blame an operation, the order or a known mistake, or nothing if unsure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.boundary.transport import Transport
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph, Stage
from grader.judge.diagnosis.again import Again, Rerun, again
from grader.judge.diagnosis.catalogue import Catalogue, recognise
from grader.judge.diagnosis.circuit import Circuit, circuit_of
from grader.judge.diagnosis.evidence import Evidence, Reply, Run, running
from grader.judge.diagnosis.faults import explain
from grader.judge.diagnosis.order import Pass, backward_pass, fault_of_order
from grader.judge.diagnosis.replay import Finding, replay
from grader.judge.diagnosis.written import CONSTRUCTOR, Written, lacks_self, slip
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.replies import UnexpectedType
from grader.judge.script.steps import Call, Get, Make, Put, Read, Step, Walk, Watch
from grader.judge.session import Session
from grader.model import (
    ORDER,
    Diagnosis,
    Fault,
    Frame,
    Kind,
    Misconception,
    Shown,
    TreeNode,
    WrongNode,
)
from grader.worker.protocol import Ref

MAX_TREE = 24
MOST = 2  # mistakes to name together; more would explain nothing


class Doctor:
    """Examines the failures of one submission, with a worker for it and one for known mistakes."""

    def __init__(
        self,
        course: Course,
        words: Graph,
        connect: Callable[[Sequence[str]], Transport],
        begin: Callable[[Stage], Session],
        answered: dict[bytes, Reply] | None = None,
    ) -> None:
        self._course, self._words = course, words
        self._begin = begin
        self._sessions: dict[str, Session] = {}
        self._written: dict[str, Written] = {}
        self._methods = {checkpoint.id: checkpoint.methods for checkpoint in course.checkpoints}
        self._right: set[str] = set()  # the methods of checkpoints that passed
        self.again: dict[str, Again] = {}
        self.places: dict[str, Frame] = {}
        self._catalogue = Catalogue(course, words, connect, answered)

    def diagnose(
        self, failures: Mapping[str, Evidence], passed: Collection[str]
    ) -> dict[str, Diagnosis]:
        """Return why each of these checkpoints failed, as far as that is certain.

        A learner who `passed` the checkpoints that catch a mistake has not made it.
        """
        self._right = {name for one in passed for name in self._methods.get(one, ())}
        causes: dict[str, Diagnosis] = {}
        known: dict[str, dict[Faulty, bool]] = {}
        for checkpoint, evidence in failures.items():
            stage = self._course.stage_of(checkpoint)
            if stage.module not in self._sessions:
                self._sessions[stage.module] = self._begin(stage)
                self._written[stage.module] = Written(self._sessions[stage.module], self._course)
            written = self._written[stage.module]
            run = running(self._sessions[stage.module], self._words)
            circuit = circuit_of(evidence.steps, evidence.names, evidence.module, self._words)
            self.again[checkpoint] = once_more = again(
                evidence, partial(self._begin, stage), self._sessions[stage.module], self._words
            )
            if once_more.outcome is Rerun.STATE:
                kept = written.keeps_state(self._course.names(stage.file))
                causes[checkpoint] = Diagnosis(
                    once_more.why(evidence, in_default=kept is not None), where=kept
                )
            else:
                causes[checkpoint] = self._cause(evidence, circuit, run, written)
                if once_more.outcome is Rerun.UNSTEADY:
                    causes[checkpoint] = _unsteady(causes[checkpoint], once_more.why(evidence))
            suspects = dict.fromkeys(faulty for found in known.values() for faulty in found)
            possible = [
                faulty
                for faulty in self._catalogue.known(stage)
                if not set(faulty.caught_by) & set(passed)
            ]
            # usually one mistake makes many checkpoints fail
            looked_at = [list(suspects), possible]
            found = (
                self._borne_out(
                    recognise(evidence, circuit, run, self._catalogue, some), evidence, written
                )
                for some in looked_at
                if some
            )
            known[checkpoint] = next(filter(None, found), {})
            methods = self._methods[checkpoint]
            owners = {name.rpartition(".")[0] for name in methods}
            kin = [
                name for name in self._course.names(stage.file) if name.rpartition(".")[0] in owners
            ]
            place = self._place(methods, evidence, causes[checkpoint], known[checkpoint], written)
            if place is None and not (evidence.fault and evidence.fault.frames) and circuit is None:
                place = self._other(methods, written)
            if place is not None:
                line, advice = self._closer(place, kin, written)
                self.places[checkpoint] = line or place
                if advice:
                    causes[checkpoint] = replace(causes[checkpoint], advice=advice)
        named = {
            checkpoint: tuple(
                replace(self._misconception(faulty), sure=known[checkpoint][faulty])
                for faulty in kept
                if known[checkpoint][faulty] or not causes[checkpoint].advice
            )
            for checkpoint, kept in _most_seen(known).items()
        }
        return {
            checkpoint: replace(cause, misconceptions=named[checkpoint])
            for checkpoint, cause in causes.items()
            if cause.why or cause.blame or cause.advice or named[checkpoint]
        }

    def _borne_out(
        self, found: Sequence[Faulty], evidence: Evidence, written: Written
    ) -> dict[Faulty, bool]:
        """Return the mistakes that the learner's source does not rule out, and whether it shows
        them.

        If the source cannot tell, equal numbers are reported as no more than that. An equal
        exception has too many possible causes to be reported at all.
        """
        shown = {
            faulty: self._catalogue.borne_out(faulty, evidence.module, written) for faulty in found
        }
        sure = {faulty: True for faulty, borne_out in shown.items() if borne_out}
        maybe = {faulty: False for faulty, borne_out in shown.items() if borne_out is None}
        return sure or (maybe if evidence.fault is None else {})

    def _place(
        self,
        methods: Sequence[str],
        evidence: Evidence,
        cause: Diagnosis,
        known: Mapping[Faulty, bool],
        written: Written,
    ) -> Frame | None:
        """Return the learner's line to blame for a failure without a traceback."""
        if evidence.fault is not None and evidence.fault.frames:
            return None
        if cause.where is not None:
            return cause.where
        for faulty, is_sure in known.items():
            line = self._catalogue.line(faulty, written) if is_sure else None
            if line is not None and not written.begins(line):
                return line
        node = self._words.make.rpartition(".")[2]
        if evidence.fault is not None and (meant := evidence.fault.meant):
            return written.line(f"{node}.__init__", [f"#0.{meant} "])
        words = self._words
        operation = written.operation(node, cause.blame)
        at_hand = {written.module(name) for name in methods}
        asks_elsewhere = evidence.fault is not None and written.module(operation) not in at_hand
        if not cause.blame or (at_hand and asks_elsewhere):
            return written.asked(methods, evidence.steps)
        if cause.blame in ORDER:
            return written.walk(f"{node}.{words.backward}", cause.blame, words, self._right)
        attribute = evidence.failed[1] if evidence.failed else words.gradient
        return written.line(operation, _set_to(attribute, fault=evidence.fault))

    def _closer(
        self, place: Frame, methods: Sequence[str], written: Written
    ) -> tuple[Frame | None, str]:
        """A line of the function that is to blame which is wrong by its looks, and why; else one
        that is not as in right code, if only the function is known.

        Where that function is as in right code, the others that the checkpoint is about are looked
        into.
        """
        if lacks_self(written.function(place.function)):
            return None, ""
        line, advice = written.idle(place.function)
        if line is not None or not written.begins(place):
            return line, advice
        right = self._catalogue.function(place.function, written)
        if not written.is_as_in(place.function, right):
            return written.unlike(place.function, right)
        return self._other(methods, written), ""

    def _other(self, methods: Sequence[str], written: Written) -> Frame | None:
        """The first line of some functions that is not as in right code."""
        for name in methods:
            line, _ = written.unlike(name, self._catalogue.function(name, written))
            if line is not None:
                return line
        return None

    def _cause(
        self, evidence: Evidence, circuit: Circuit | None, run: Run, written: Written
    ) -> Diagnosis:
        words = self._words
        if evidence.fault is not None and evidence.fault.kind is not Kind.TIMEOUT:
            return Diagnosis(
                explain(evidence.fault, evidence.steps, words, written.function),
                _asked_for(evidence.steps, words, circuit),
            )
        if circuit is None:
            return Diagnosis()
        if evidence.fault is not None:  # on a small graph it ends, and shows why it takes so long
            seen = backward_pass(circuit, run)
            blamed = fault_of_order(seen) if not seen.reply.fault else None
            return (
                Diagnosis(blamed[1], blamed[0])
                if blamed
                else Diagnosis(blame=evidence.fault.stub.rpartition(".")[2])
            )
        seen = backward_pass(circuit, run)
        found = self._localised(circuit, run, seen, written)
        found = found if found.blame else _in_between(evidence, words, seen)
        return found if found.blame else Diagnosis(blame=_maker(evidence, circuit))

    def _localised(self, circuit: Circuit, run: Run, seen: Pass, written: Written) -> Diagnosis:
        """Blame the operation that is wrong alone, near the first wrong node, or the order."""
        if seen.reply.fault:
            return Diagnosis()
        wrong_value, wrong_gradient = seen.first_wrong_value(), seen.first_wrong()
        findings = replay(circuit, run)
        finding = _to_blame(circuit, findings, wrong_value, wrong_gradient)
        blamed = (finding.blame, finding.why) if finding else None
        if blamed is None and wrong_gradient is not None and wrong_value is None:
            blamed = fault_of_order(seen)
        wrong = wrong_value or wrong_gradient
        where, advice = self._line(finding, written) if finding is not None else (None, "")
        if blamed is None:
            return Diagnosis()
        if wrong is None:
            return Diagnosis(blamed[1], blamed[0], where=where, advice=advice)
        node, got, want = wrong
        op = finding.blame if finding else circuit.operator(node)
        first = WrongNode(
            circuit.label(node), op, _shown(got), want, "value" if wrong_value else "gradient"
        )
        return Diagnosis(
            blamed[1],
            blamed[0],
            first,
            (),
            tuple(_tree(seen, node, finding.node if finding else None)),
            where,
            advice,
        )

    def _line(self, finding: Finding, written: Written) -> tuple[Frame | None, str]:
        """Return the learner's line in which an operation goes wrong, and a possible correction."""
        name = written.operation(self._words.make.rpartition(".")[2], finding.blame)
        mine, target = written.function(name), finding.facts[0].rstrip() if finding.facts else ""
        right = self._catalogue.function(name, written) if "." in target else None
        return written.line(name, finding.facts), slip(
            mine, right, target
        ) if right and right.line else ""

    def _misconception(self, faulty: Faulty) -> Misconception:
        stage = self._course.stage_of(faulty.caught_by[0])
        items = next(c.checklist for c in stage.checkpoints if c.id == faulty.caught_by[0])
        return Misconception(
            faulty.id,
            faulty.title,
            faulty.tutor,
            hint=self._course.stage_of(faulty.id).id,
            checklist=self._course.checklist.get(items[0], "") if items else "",
        )

    def close(self) -> None:
        """End the workers."""
        self._catalogue.close()
        for session in self._sessions.values():
            session.close()


def _set_to(attribute: str, *, fault: Fault | None) -> list[str]:
    """The facts about the line that makes something wrong: the one that sets an attribute, in the
    object itself or another one; or whatever is returned.
    """
    if fault is not None:
        return [] if "TypeError" in fault.types else ["return "]
    return [f"#0.{attribute} ", f"#.{attribute} ", "#."]


def _asked_for(steps: Sequence[Step], words: Graph, circuit: Circuit | None) -> str:
    """Return what the last step asked the learner's code to do."""
    last = steps[-1] if steps else None
    if isinstance(last, Walk) or (isinstance(last, Call) and last.method == words.step):
        if circuit is None or last.on not in circuit.values:
            return words.backward
        return circuit.operator(last.on) or CONSTRUCTOR
    if isinstance(last, Read) and circuit is not None and last.on in circuit.values:
        return circuit.operator(last.on) or CONSTRUCTOR
    if isinstance(last, Make):
        return CONSTRUCTOR
    if isinstance(last, Watch) or (isinstance(last, Call) and last.method == words.backward):
        return words.backward
    return next(iter(sorted(last.operators(), reverse=True)), "") if last is not None else ""


def _maker(evidence: Evidence, circuit: Circuit) -> str:
    """Return what made the object whose form is wrong: an operation or the constructor."""
    if evidence.failed is None or evidence.failed[1] in {
        circuit.words.data,
        circuit.words.gradient,
    }:
        return ""
    made = next((step for step in evidence.steps if step.target == evidence.failed[0]), None)
    if isinstance(made, Make):
        return CONSTRUCTOR if made.function == circuit.words.make else ""
    return circuit.operator(evidence.failed[0]) if evidence.failed[0] in circuit.values else ""


def _in_between(evidence: Evidence, words: Graph, seen: Pass) -> Diagnosis:
    """Blame what else the script did, if one backward pass on a new graph is right.

    This needs a script that did only one such thing.
    """
    steps = [step for step in evidence.steps if not isinstance(step, (Read, Get))]
    if steps and all(isinstance(step, Make) for step in steps):
        return Diagnosis(
            "it is wrong right after it is made, when only the constructor has run", CONSTRUCTOR
        )
    calls = [
        step.method
        for step in steps
        if isinstance(step, Call) and not step.operators() & set(FUNCTIONS)
    ]
    others = [method for method in dict.fromkeys(calls) if method != words.backward]
    if (
        seen.reply.fault
        or seen.circuit.root is None
        or seen.first_wrong()
        or seen.first_wrong_value()
    ):  # nothing is known to be right
        return (
            Diagnosis(blame=others[0])
            if len(others) == 1 and words.backward not in calls
            else Diagnosis()
        )
    if calls.count(words.backward) and len(others) == 1:
        return Diagnosis(
            f"one `{words.backward}` over a fresh graph is right, so look at `{others[0]}`",
            others[0],
        )
    begun = {step.on for step in steps if isinstance(step, Call) and step.method == words.backward}
    if any(
        isinstance(step, Put) and step.on in begun and step.attribute == words.gradient
        for step in steps
    ):
        return Diagnosis(
            f"one `{words.backward}` over a fresh graph is right; it goes wrong if the result"
            " already has a gradient",
            "seed",
        )
    if not begun and len(others) == 1:
        return Diagnosis(
            f"one `{words.backward}` over such a graph is right, so look at `{others[0]}`",
            others[0],
        )
    if calls.count(words.backward) > 1:
        told = (
            f"one `{words.backward}` over a fresh graph is right; it goes wrong if there are"
            " gradients from before"
        )
        return Diagnosis(told, words.backward)
    return Diagnosis()


def _most_seen(known: Mapping[str, Collection[Faulty]]) -> dict[str, list[Faulty]]:
    """Return, for each failure, the mistakes that also explain the most other failures.

    Return none if more than two remain.
    """
    seen = Counter(faulty.id for candidates in known.values() for faulty in candidates)
    kept = {}
    for checkpoint, candidates in known.items():
        most = max((seen[faulty.id] for faulty in candidates), default=0)
        best = [faulty for faulty in candidates if seen[faulty.id] == most]
        if len(best) > MOST:
            best = [faulty for faulty in best if checkpoint in faulty.caught_by]
        kept[checkpoint] = best if len(best) <= MOST else []
    return kept


def _unsteady(cause: Diagnosis, why: str) -> Diagnosis:
    """Return the cause without its numbers, which change from run to run."""
    why = f"{cause.why}; {why}" if cause.why else why
    return Diagnosis(why, cause.blame, where=cause.where, advice=cause.advice)


def _to_blame(
    circuit: Circuit, findings: list[Finding], wrong_value: Any, wrong_gradient: Any
) -> Finding | None:
    """Return the finding that explains most, of all operations that are wrong alone.

    That is the one that makes the first wrong value, or one that uses the first node with a wrong
    gradient.
    """
    forward = [finding for finding in findings if finding.forward]
    if wrong_value is not None and forward:
        return forward[0]
    backward = findings[::-1]
    if wrong_gradient is not None:
        users = {
            node
            for step in circuit.operations
            if wrong_gradient[0] in step.references() and (node := step.target) is not None
        }
        backward = [finding for finding in backward if finding.node in users] + backward
    return backward[0] if backward else None


def _tree(seen: Pass, first_wrong: Ref, blamed: Ref | None) -> Iterator[TreeNode]:
    """Yield the nodes from the result down, each at its first use."""
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
        yield TreeNode(
            depth,
            circuit.definition(node),
            _shown(seen.values.get(node)),
            _shown(seen.gradients.get(node)),
            circuit.values[node],
            circuit.gradients.get(node),
            first_wrong=node == first_wrong,
            blamed=node == blamed,
            operands=tuple(places[operand] for operand in below[node] if operand in places),
        )


def _shown(answer: Any) -> Shown:
    if type(answer) in {int, float}:
        return answer  # type: ignore[no-any-return]
    return f"a {answer.type_name}" if isinstance(answer, UnexpectedType) else None
