"""Diagnose a failure: blame an operation, the order or a known mistake, or nothing if unsure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from grader.boundary.transport import Transport
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph, Stage
from grader.judge.diagnosis.advice import NEVER_ASKS, is_vague, never_set
from grader.judge.diagnosis.again import Again, Rerun, again
from grader.judge.diagnosis.bench import Bench, Told
from grader.judge.diagnosis.catalogue import Catalogue
from grader.judge.diagnosis.circuit import Circuit, circuit_of
from grader.judge.diagnosis.computed import Both, comparison, is_short
from grader.judge.diagnosis.evidence import Evidence, Reply, Run, running
from grader.judge.diagnosis.experiments import NO_STEP, Look
from grader.judge.diagnosis.faults import explain, without_remedy
from grader.judge.diagnosis.habits import Habits
from grader.judge.diagnosis.later import of_clearing, of_later
from grader.judge.diagnosis.order import Pass, backward_pass, fault_of_order
from grader.judge.diagnosis.place import Places
from grader.judge.diagnosis.recognise import partly, recognise
from grader.judge.diagnosis.replay import MADE, Finding, beneath, replay
from grader.judge.diagnosis.script_blame import UNCHANGED, asked_for, in_between, maker
from grader.judge.diagnosis.written import Written, operator_of
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.replies import UnexpectedType
from grader.judge.script.operators import BY_METHOD
from grader.judge.script.steps import Call
from grader.judge.session import Session
from grader.model import Diagnosis, Fault, Frame, Kind, Misconception, Shown, TreeNode, WrongNode
from grader.worker.protocol import Ref

MAX_TREE = 24
MOST = 2  # mistakes to name together; more would explain nothing


class _Case(NamedTuple):
    """A failing checkpoint, and what it takes to examine it."""

    checkpoint: str
    stage: Stage
    evidence: Evidence
    circuit: Circuit | None
    run: Run
    written: Written
    places: Places
    habits: Habits


class _Code(NamedTuple):
    """The submission as one file needs it: its worker, and what is found out in it."""

    session: Session
    written: Written
    habits: Habits


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
        self._codes: dict[str, _Code] = {}
        self._told: dict[str, tuple[Callable[[Habits], Told], Told]] = {}
        self._methods = {checkpoint.id: checkpoint.methods for checkpoint in course.checkpoints}
        self._right: set[str] = set()  # the methods of checkpoints that passed
        self._partly: dict[str, dict[Faulty, str]] = {}  # with the operand it was made for
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
        self._right -= {self._methods[one][0] for one in failures if self._methods[one]}
        causes: dict[str, Diagnosis] = {}
        known: dict[str, dict[Faulty, bool]] = {}
        for checkpoint, evidence in failures.items():
            case = self._case(checkpoint, evidence)
            cause = self._examined(case)
            earlier = dict.fromkeys(faulty for found in known.values() for faulty in found)
            known[checkpoint] = self._recognised(case, [*earlier], passed, cause)
            cause = self._placed(case, cause, known[checkpoint])
            if not any(known[checkpoint].values()) and (why := self._computed(case, cause)):
                cause = replace(cause, why=why)
                known[checkpoint] = {} if is_short(why) else known[checkpoint]
            causes[checkpoint] = cause
        named = {
            checkpoint: tuple(
                replace(
                    self._misconception(faulty),
                    sure=known[checkpoint][faulty],
                    operand=self._partly.get(checkpoint, {}).get(faulty, ""),
                )
                for faulty in kept
                if known[checkpoint][faulty] or is_vague(causes[checkpoint].advice)
            )
            for checkpoint, kept in _most_seen(known).items()
        }
        return {
            checkpoint: replace(cause, misconceptions=named[checkpoint])
            for checkpoint, cause in causes.items()
            if cause.why or cause.blame or cause.advice or named[checkpoint]
        }

    def _case(self, checkpoint: str, evidence: Evidence) -> _Case:
        stage, words = self._course.stage_of(checkpoint), self._words
        session, written, habits = self._code(stage)
        return _Case(
            checkpoint,
            stage,
            evidence,
            circuit_of(evidence.steps, evidence.names, evidence.module, words),
            running(session, words),
            written,
            Places(self._course, words, self._catalogue, written, self._right),
            habits,
        )

    def _code(self, stage: Stage) -> _Code:
        if stage.module not in self._codes:
            session, words = self._begin(stage), self._words
            patched = partial(running, session, words)
            habits = Habits(Bench(words, patched(), patched), words.order)
            self._codes[stage.module] = _Code(session, Written(session, self._course), habits)
        return self._codes[stage.module]

    def _examined(self, case: _Case) -> Diagnosis:
        """Return the cause, as the failing script shows it."""
        stage, evidence, written = case.stage, case.evidence, case.written
        begin, used = partial(self._begin, stage), self._codes[stage.module].session
        found = again(evidence, begin, used, self._words, alone=stage.alone)
        self.again[case.checkpoint] = found
        if found.outcome is Rerun.STATE:
            kept = written.keeps_state(self._course.names(stage.file))
            asked = asked_for(evidence.steps, self._words, case.circuit)
            blame = operator_of(kept.function) if kept else asked
            return Diagnosis(found.why(evidence, in_default=kept is not None), blame, where=kept)
        cause = self._cause(case)
        return _unsteady(cause, found.why(evidence)) if found.outcome is Rerun.UNSTEADY else cause

    def _recognised(
        self, case: _Case, earlier: Sequence[Faulty], passed: Collection[str], cause: Diagnosis
    ) -> dict[Faulty, bool]:
        """Return the known mistakes that answer alike, and whether the source shows them.

        Those that explained `earlier` failures are tried first: usually one mistake makes many
        checkpoints fail. If the source cannot tell, equal numbers are reported as no more than
        that. An equal exception has too many possible causes to be reported at all. So has code
        that does nothing, if several mistakes do so, and an order that helpers make.
        """
        possible = [
            faulty
            for faulty in self._catalogue.known(case.stage)
            if not set(faulty.caught_by) & set(passed)
        ]
        evidence, methods = case.evidence, self._methods[case.checkpoint]
        vague = (
            evidence.fault is not None
            or evidence.explained
            or cause.why.endswith(NO_STEP)
            or (_is_order(case) and any(map(case.places.delegates, methods)))
        )
        for some in filter(None, (earlier, possible)):
            found = recognise(evidence, case.circuit, case.run, self._catalogue, some)
            shown = {
                faulty: self._catalogue.borne_out(faulty, evidence.module, case.written)
                for faulty in found
            }
            sure = {faulty: True for faulty, borne_out in shown.items() if borne_out}
            maybe = {faulty: False for faulty, borne_out in shown.items() if borne_out is None}
            does_nothing = UNCHANGED in cause.why and len(found) > 1
            if left := sure or (
                {} if vague or does_nothing else self._with_the_same_habit(case, maybe)
            ):
                return left
        at = partly(evidence, case.circuit, case.run, self._catalogue, possible)
        self._partly[case.checkpoint] = at
        return dict.fromkeys(at, False)

    def _with_the_same_habit(self, case: _Case, maybe: dict[Faulty, bool]) -> dict[Faulty, bool]:
        """Return the mistakes of whose backward pass the same is true, if anything was told."""
        if case.checkpoint not in self._told or not self._told[case.checkpoint][1].why:
            return maybe
        look, told = self._told[case.checkpoint]

        def does_so(faulty: Faulty) -> bool:
            for suspect in self._catalogue.in_all_styles(faulty):
                bench = Bench(self._words, self._catalogue.wrong(case.stage.module, suspect), None)
                if look(Habits(bench, self._words.order)).why == told.why:
                    return True
            return False

        return {faulty: is_sure for faulty, is_sure in maybe.items() if does_so(faulty)}

    def _computed(self, case: _Case, cause: Diagnosis) -> str:
        """Return the formula that the code follows, if nothing explains the failure.

        In a stage without an engine, such as the slope of a function, several formulas are right.
        """
        explained = cause.why or case.evidence.explained
        if explained or case.evidence.long or case.stage.alone:
            return ""
        words, parameters = self._words, self._course.parameters
        return comparison(case.evidence, self._formulas(case), words, parameters)

    def _formulas(self, case: _Case) -> Both:
        """Return how the submission and the reference compute the numbers that scripts read."""
        tested = {name.rpartition(".")[2] for name in self._methods[case.checkpoint]}
        named, words, module = sorted(FUNCTIONS.keys() - tested), self._words, case.stage.module
        session = self._code(case.stage).session
        return Both(
            lambda steps: session.computed(steps, words, named),
            lambda steps: self._catalogue.computed(module, named, steps),
        )

    def _placed(self, case: _Case, cause: Diagnosis, known: Mapping[Faulty, bool]) -> Diagnosis:
        """Keep the learner's line to blame; return the cause with what its look tells."""
        methods, evidence = self._methods[case.checkpoint], case.evidence
        if evidence.fault and evidence.fault.frames:
            told, at_the_caller = case.places.of_exception(evidence.fault)
            if at_the_caller:
                cause = replace(cause, why=without_remedy(cause.why))
            return _advised(cause, told)
        _, told_of = self._told.get(case.checkpoint, (None, Told()))
        place = case.places.of_failure(methods, evidence, cause, known, told_of)
        if place is None and case.circuit is None:
            place, told = case.places.noticed(methods) or (case.places.other(methods), "")
            cause = replace(cause, advice=told or cause.advice)
        missing = case.places.missing(methods)
        if missing and not cause.why:
            cause = replace(cause, advice=missing)
        if place is None:
            return cause
        owners = {name.rpartition(".")[0] for name in methods}
        kin = [
            name
            for name in self._course.names(case.stage.file)
            if name.rpartition(".")[0] in owners
        ]
        line, advice = case.places.closer(place, kin, explained=evidence.explained)
        if advice == never_set(self._words.step) and not cause.why.endswith(NO_STEP):
            advice = ""  # the step may be a method of the class
        if advice == NEVER_ASKS and not case.habits.repeats:
            advice = ""  # it may ask in a different way
        listing = {step.method for step in evidence.steps if isinstance(step, Call)}
        if not advice and cause.blame in {"order", *(listing if evidence.form == "refs" else ())}:
            advice = case.places.equality()
        place = line or place
        at, told = case.places.making(place, evidence, case.run)
        self.places[case.checkpoint] = at or place
        return _advised(cause, advice or told) if advice or told else cause

    def _cause(self, case: _Case) -> Diagnosis:
        words, evidence, circuit, run = self._words, case.evidence, case.circuit, case.run
        if evidence.fault is not None and evidence.fault.kind is not Kind.TIMEOUT:
            if circuit is not None and not evidence.fault.frames:  # met by a walk of the judge's
                for one in (one for one in replay(circuit, run) if one.facts == MADE):
                    return Diagnosis(one.why, one.blame, where=case.habits.bench.making(one.alone))
            return Diagnosis(
                explain(evidence.fault, evidence.steps, words, case.written.function),
                self._raised_in(case, evidence.fault),
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
        found = self._localised(circuit, run, seen, case)
        found = found if found.blame else in_between(evidence, words, seen)
        found = found if found.blame else Diagnosis(blame=maker(evidence, circuit))
        return self._with_habit(case, found) if _is_of_pass(circuit, seen, found) else found

    def _with_habit(self, case: _Case, cause: Diagnosis) -> Diagnosis:
        """Add what the backward pass does on other graphs, too, if it is to blame."""
        look = self._look_at(cause, lists=case.evidence.form == "refs")
        told = look(case.habits)
        self._told[case.checkpoint] = look, told
        if not told.why:
            return cause
        if not cause.why:
            return replace(cause, why=told.why)
        return replace(cause, why=f"{cause.why}. {told.why[0].upper()}{told.why[1:]}")

    def _look_at(self, cause: Diagnosis, *, lists: bool) -> Callable[[Habits], Told]:
        """Return what to find out, by what is to blame."""
        words, blame = self._words, cause.blame
        if blame == words.order or (lists and blame == "order"):
            return Habits.of_list
        if blame == "order":
            return Habits.of_order
        if blame == "seed":
            return Habits.of_seed
        if blame == words.backward:
            return lambda habits: of_later(habits.bench)
        if not blame:
            return Habits.of_gradients
        if cause.why.endswith((f"look at `{blame}`", UNCHANGED)):
            return lambda habits: of_clearing(habits.bench, blame)
        return lambda _: Told()

    def _raised_in(self, case: _Case, fault: Fault) -> str:
        """Return what an exception is to blame on; in a backward pass, an operation that raises it
        alone, or the function that was running.
        """
        asked, circuit = asked_for(case.evidence.steps, self._words, case.circuit), case.circuit
        if asked != self._words.backward or not fault.frames:
            return asked
        for finding in replay(circuit, case.run) if circuit is not None else ():
            if fault.type_name and finding.why.endswith(f" fails: {fault.type_name}"):
                return finding.blame
        inside = case.written.around(fault.frames[-1])
        holder = operator_of(inside) if case.written.is_inside(fault.frames[-1], inside) else asked
        return asked if holder in {*BY_METHOD.values(), *FUNCTIONS} else holder

    def _localised(self, circuit: Circuit, run: Run, seen: Pass, case: _Case) -> Diagnosis:
        """Blame the operation that is wrong alone, near the first wrong node, or the order."""
        places, bench = case.places, case.habits.bench
        if seen.reply.fault:
            return Diagnosis()
        wrong_value, wrong_gradient = seen.first_wrong_value(), seen.first_wrong()
        findings = replay(circuit, run)
        finding = _to_blame(circuit, findings, wrong_value, wrong_gradient)
        if finding is not None and finding.forward:
            finding = beneath(finding, places.called_by(finding.blame), run) or finding
        look = Look(finding, run, self._formulas(case)) if finding else None
        blamed = (finding.blame, look.why()) if finding and look else None
        if blamed is None and wrong_gradient is not None and wrong_value is None:
            blamed = fault_of_order(seen)
            if circuit.implied and blamed and blamed[0] == "seed":  # nothing asked for a pass
                blamed = None
        wrong = wrong_value or wrong_gradient
        where, advice = places.of_operation(look) if look is not None else (None, "")
        if finding is not None and finding.facts == MADE and not finding.forward:
            where = places.elsewhere(finding.blame, bench.making(finding.alone)) or where
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
        for code in self._codes.values():
            code.session.close()


def _is_order(case: _Case) -> bool:
    """Return whether a list of nodes is wrong, and not the operands of an operation."""
    made_elsewhere = case.circuit is None or case.circuit.implied
    return case.evidence.form == "refs" and made_elsewhere


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


def _advised(cause: Diagnosis, advice: str) -> Diagnosis:
    """Add advice, unless the cause already names what was meant."""
    says_it = "did you mean" in cause.why or cause.why.endswith("is that a typo?")
    return cause if says_it else replace(cause, advice=advice)


def _unsteady(cause: Diagnosis, why: str) -> Diagnosis:
    """Return the cause without its numbers, which change from run to run."""
    why = f"{cause.why}; {why.partition(':')[0]}" if cause.why else why
    return Diagnosis(why, cause.blame, where=cause.where, advice=cause.advice)


def _is_of_pass(circuit: Circuit, seen: Pass, found: Diagnosis) -> bool:
    """Return whether a whole pass may have gone wrong, and not only one operation."""
    if circuit.root is None or circuit.upstream is not None:
        return False
    wrong_gradient = seen.first_wrong() is not None and seen.first_wrong_value() is None
    return bool(found.blame) or wrong_gradient


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
