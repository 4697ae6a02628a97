"""Diagnose a failure: blame an operation, the order or a known mistake, or nothing if unsure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from grader.boundary.transport import Transport
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph
from grader.judge.diagnosis.advice import PASSED
from grader.judge.diagnosis.again import Again, Rerun, again
from grader.judge.diagnosis.case import Case
from grader.judge.diagnosis.catalogue import Catalogue
from grader.judge.diagnosis.cause import cause_of
from grader.judge.diagnosis.circuit import circuit_of
from grader.judge.diagnosis.evidence import Evidence, Reply, running
from grader.judge.diagnosis.exceptions import GUESS
from grader.judge.diagnosis.experiments import NO_STEP
from grader.judge.diagnosis.faults import without_remedy
from grader.judge.diagnosis.place import Places
from grader.judge.diagnosis.recognise import partly, recognise
from grader.judge.diagnosis.script_blame import UNCHANGED
from grader.judge.diagnosis.sites import Sites
from grader.judge.diagnosis.written import Written, operator_of
from grader.judge.script.steps import Call
from grader.judge.session import Session
from grader.model import Diagnosis, Frame, Misconception
from grader.worker.protocol import Patch

MOST = 2  # mistakes to name together; more would explain nothing


class _Code(NamedTuple):
    """The submission as one file needs it: its worker, and what is found out in it."""

    session: Session
    written: Written
    sites: Sites


class Doctor:
    """Examines the failures of one submission, with a worker for it and one for known mistakes."""

    def __init__(
        self,
        course: Course,
        words: Graph,
        connect: Callable[[Sequence[str]], Transport],
        begin: Callable[[str], Session],
        answered: dict[bytes, Reply] | None = None,
    ) -> None:
        self._course, self._words = course, words
        self._begin = begin
        self._codes: dict[tuple[str, Sequence[Patch]], _Code] = {}
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
            causes[checkpoint] = cause
        named = {
            checkpoint: tuple(
                replace(
                    self._misconception(faulty),
                    sure=known[checkpoint][faulty],
                    operand=self._partly.get(checkpoint, {}).get(faulty, ""),
                )
                for faulty in kept
                if known[checkpoint][faulty] or not causes[checkpoint].advice
            )
            for checkpoint, kept in _most_seen(known).items()
        }
        return {
            checkpoint: replace(
                cause,
                misconceptions=named[checkpoint],
                why="" if named[checkpoint] and cause.why.endswith(GUESS) else cause.why,
            )
            for checkpoint, cause in causes.items()
            if cause.why or cause.blame or cause.advice or named[checkpoint]
        }

    def _case(self, checkpoint: str, evidence: Evidence) -> Case:
        stage, words = self._course.stage_of(checkpoint), self._words
        session, written, sites = self._code(checkpoint)
        methods = self._methods[checkpoint]
        return Case(
            checkpoint,
            methods,
            stage,
            words,
            evidence,
            circuit_of(evidence.steps, evidence.names, evidence.module, words),
            running(session, words),
            written,
            Places(self._course, words, self._catalogue, written, self._right),
            sites,
        )

    def _code(self, checkpoint: str) -> _Code:
        session, words = self._begin(checkpoint), self._words
        key = session.module, session.swaps
        if key not in self._codes:
            sites = Sites(words, partial(running, session, words))
            self._codes[key] = _Code(session, Written(session, self._course), sites)
        return self._codes[key]

    def _examined(self, case: Case) -> Diagnosis:
        """Return the cause, as the failing script shows it when it runs again."""
        stage, evidence, written = case.stage, case.evidence, case.written
        begin, used = partial(self._begin, case.checkpoint), self._code(case.checkpoint).session
        found = again(evidence, begin, used, self._words, alone=stage.alone)
        self.again[case.checkpoint] = found
        if found.outcome is Rerun.STATE:
            kept = written.keeps_state(self._course.names(stage.file))
            blame = operator_of(kept.function) if kept else ""
            why = found.why(evidence, in_default=kept is not None)
            return Diagnosis(why, blame, where=kept)
        cause = cause_of(case)
        if found.outcome is Rerun.UNSTEADY:
            cause = _unsteady(cause, found.why(evidence))
        return cause

    def _recognised(
        self, case: Case, earlier: Sequence[Faulty], passed: Collection[str], cause: Diagnosis
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
        evidence = case.evidence
        vague = (
            evidence.fault is not None
            or evidence.explained
            or cause.blame == "order"
            or cause.why.endswith(NO_STEP)
            or (case.is_about_a_list and any(map(case.places.delegates, case.methods)))
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
            if left := sure or ({} if vague or does_nothing else maybe):
                return left
        at = partly(evidence, case.circuit, case.run, self._catalogue, possible)
        self._partly[case.checkpoint] = at
        return dict.fromkeys(at, False)

    def _placed(self, case: Case, cause: Diagnosis, known: Mapping[Faulty, bool]) -> Diagnosis:
        """Keep the learner's line to blame; return the cause with what is noticed there."""
        places, methods, evidence = case.places, case.methods, case.evidence
        if evidence.fault and evidence.fault.frames:
            return _raised(cause, *places.of_exception(evidence.fault, cause.blame))
        changes = self.again[case.checkpoint].outcome in {Rerun.STATE, Rerun.UNSTEADY}
        if changes and not (cause.blame or cause.where or known):
            return cause  # any line may be the reason
        place = places.of_failure(methods, evidence, cause, known)
        if place is not None and places.is_right(place.function):
            place = places.other(methods)
        elif place is None and case.circuit is None:
            place, advice = places.noticed(methods) or (places.other(methods), "")
            cause = replace(cause, advice=advice or cause.advice)
        if not (cause.why or evidence.fault) and (missing := places.missing(methods)):
            cause = replace(cause, advice=missing)
        if place is None:
            return cause
        line, advice = self._noticed_at(place, case, cause)
        at, made = None, ""
        if cause.where:
            at = places.ran(line, evidence, case.run)
        elif not advice.startswith(PASSED):
            at, made = places.making(line, evidence, case.run)
        self.places[case.checkpoint] = at or line
        advice = advice or made
        return _advised(cause, advice) if advice else cause

    def _noticed_at(self, place: Frame, case: Case, cause: Diagnosis) -> tuple[Frame, str]:
        """Return the line to blame in a function, and what is noticed there, if it is certain."""
        evidence = case.evidence
        line, advice = case.places.closer(place)
        listing = {step.method for step in evidence.steps if isinstance(step, Call)}
        if not advice and cause.blame in {"order", *(listing if evidence.form == "refs" else ())}:
            advice = case.places.equality()
        return line or place, advice

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


def _raised(cause: Diagnosis, advice: str, at_the_caller: bool) -> Diagnosis:  # noqa: FBT001 - as returned
    """Return the cause of an exception with advice, and without a remedy that does not fit it."""
    if advice and cause.why.endswith(GUESS):
        cause = replace(cause, why="")
    if at_the_caller or PASSED in advice:
        cause = replace(cause, why=without_remedy(cause.why))
    return _advised(cause, advice)


def _advised(cause: Diagnosis, advice: str) -> Diagnosis:
    """Add advice, unless the cause already names what was meant."""
    says_it = "did you mean" in cause.why or cause.why.endswith("is that a typo?")
    return cause if says_it else replace(cause, advice=advice)


def _unsteady(cause: Diagnosis, why: str) -> Diagnosis:
    """Return the cause without its numbers, which change from run to run."""
    why = f"{cause.why}; {why.partition(',')[0]}" if cause.why else why
    return Diagnosis(why, cause.blame, where=cause.where, advice=cause.advice)
