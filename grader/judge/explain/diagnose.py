"""Diagnose the failures of a submission: the error, its place, and the known mistake that behaves
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from grader.boundary.transport import Transport
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Graph
from grader.judge.evidence import Evidence, Reply, running
from grader.judge.explain.catalogue import Catalogue
from grader.judge.explain.circuit import circuit_of
from grader.judge.explain.locate import Case, Cause, cause_of, function_of
from grader.judge.explain.recognise import recognise
from grader.judge.explain.rerun import Again, Rerun, again
from grader.judge.explain.sentences import Known, is_ordered, is_vague, most_seen
from grader.judge.session import Session
from grader.model import Diagnosis
from grader.worker.protocol import Patch


class Doctor:
    """Examines the failures of one submission, with a worker for it and one for known mistakes.

    `known` are the mistakes that behave like a failure, and `again` says how its script behaved
    when it ran again.
    """

    def __init__(
        self,
        course: Course,
        words: Graph | None,
        connect: Callable[[Sequence[str]], Transport],
        begin: Callable[[str], Session],
        answered: dict[bytes, Reply] | None = None,
    ) -> None:
        self._course, self._words, self._begin = course, words, begin
        self._sessions: dict[tuple[str, Sequence[Patch]], Session] = {}
        self._methods = {checkpoint.id: checkpoint.methods for checkpoint in course.checkpoints}
        self._catalogue = Catalogue(course, words, connect, answered)
        self.known: Mapping[str, list[Known]] = {}
        self.again: dict[str, Again] = {}

    def diagnose(
        self, failures: Mapping[str, Evidence], passed: Collection[str]
    ) -> dict[str, Diagnosis]:
        """Return why each of these checkpoints failed, if that is certain.

        A learner who `passed` the checkpoints that catch a mistake has not made it.
        """
        right = {_main(self._methods[one]) for one in passed}
        right -= {_main(self._methods[one]) for one in failures}
        listed = {_main(self._methods[id]) for id, each in failures.items() if each.form == "refs"}
        found: dict[str, Diagnosis] = {}
        known: dict[str, list[Known]] = {}
        for checkpoint, evidence in failures.items():
            case = self._case(checkpoint, evidence, right)
            cause = self._examined(case)
            earlier = dict.fromkeys(each.faulty for some in known.values() for each in some)
            known[checkpoint] = [
                each
                for each in self._recognised(case, [*earlier], passed, cause)
                if not is_ordered(case, cause) or listed <= {*each.faulty.changed}
            ]
            changes = self.again[checkpoint].outcome not in {Rerun.SAME, Rerun.RANDOM}
            where = None if changes else function_of(case, cause)
            found[checkpoint] = Diagnosis(
                cause.why, cause.blame, cause.first_wrong, tree=cause.tree, where=where
            )
        self.known, named = known, most_seen(known)
        told = {
            checkpoint: replace(
                diagnosis,
                misconceptions=tuple(
                    each.told(self._course) for each in named[checkpoint] if not each.vague
                ),
            )
            for checkpoint, diagnosis in found.items()
        }
        return {checkpoint: each for checkpoint, each in told.items() if each != Diagnosis()}

    def _case(self, checkpoint: str, evidence: Evidence, right: Collection[str]) -> Case:
        session, words = self._begin(checkpoint), self._words
        session = self._sessions.setdefault((session.module, session.swaps), session)
        return Case(
            checkpoint,
            self._course.stage_of(checkpoint),
            words,
            evidence,
            circuit_of(evidence, words) if words else None,
            session,
            running(session),
            right,
        )

    def _examined(self, case: Case) -> Cause:
        """Return the cause, as the failing script shows it when it runs again."""
        begin, evidence = partial(self._begin, case.id), case.evidence
        found = again(evidence, begin, case.session)
        self.again[case.id] = found
        if found.outcome in {Rerun.STATE, Rerun.ONCE}:
            return Cause(found.why(evidence))
        cause = cause_of(case)
        if found.outcome is Rerun.UNSTEADY:  # the numbers change from run to run
            why = found.why(evidence)
            why = f"{cause.why}; {why.partition(',')[0]}" if cause.why else why
            cause = cause._replace(why=why, first_wrong=None, tree=())
        return cause

    def _recognised(
        self, case: Case, earlier: Sequence[Faulty], passed: Collection[str], cause: Cause
    ) -> list[Known]:
        """Return the known mistakes that give the same answers.

        Those that explained `earlier` failures are tried first, because usually one mistake makes
        many checkpoints fail.
        """
        possible = [
            faulty
            for faulty in self._catalogue.known(case.stage)
            if not set(faulty.caught_by) & set(passed)
        ]
        strictly = is_ordered(case, cause)
        for some in filter(None, (earlier, possible)):
            found = recognise(case, self._catalogue, some, strictly=strictly)
            if found:
                vague = is_vague(case, cause)
                return [Known(faulty, vague) for faulty in found]
        return []

    def close(self) -> None:
        """End the workers."""
        self._catalogue.close()
        for session in self._sessions.values():
            session.close()


def _main(methods: Sequence[str]) -> str:
    """Return the function that a checkpoint is about: the first, and the constructor only if there
    is no other.
    """
    others = (name for name in methods if not name.endswith(".__init__"))
    return next(others, methods[0] if methods else "")
