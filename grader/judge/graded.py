"""Grade the stages of one job: run their suites, explain failures, and report the results.

With `isolate`, a phase builds on the reference for the phases before it. A correct engine may need
its own functions, because its constructor takes one more argument, for example. So all phases are
first graded with the learner's own code, and either pass counts. A phase is graded again with the
reference only if an earlier phase does not pass: a mistake that no earlier checkpoint catches
counts in the phase that catches it. A worker that knows a phase's reference begins only after the
verdicts of that phase and of all before it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader import __version__
from grader.conditions import Isolation
from grader.curriculum.model import Stage
from grader.errors import GraderError
from grader.intake.functions import hash_of_functions
from grader.intake.run_notes import bounded, sentence
from grader.judge.budget import Budget, OutOfTime
from grader.judge.earlier import earlier_outcomes
from grader.judge.grading import Grading
from grader.judge.job import Job
from grader.judge.plugin import run_suites
from grader.judge.results import results_of
from grader.judge.written import notes_on_files
from grader.model import CheckResult, Kind, PhaseResult, Report, Verdict, Visibility
from grader.text import joined, safe

if TYPE_CHECKING:
    from grader.judge.explain.sentences import Known


UNEXPLAINED = "the grader failed to explain the failures; the verdicts are right"


@dataclass
class Graded:
    """The verdicts of one job, and everything needed to explain and report them."""

    stages: Sequence[Stage]
    grading: Grading
    results: dict[str, CheckResult]

    @property
    def passed(self) -> set[str]:
        """Return the checkpoints that pass."""
        return {id for id in self.asked if self.results[id].verdict is Verdict.PASSED}

    @property
    def asked(self) -> set[str]:
        """Return the graded checkpoints, without the ones that only explain failures."""
        return {each.id for stage in self.stages for each in stage.checkpoints} & {*self.results}

    def explain(self, wanted: Collection[str], provable: Collection[str]) -> list[str]:
        """Diagnose the failures among the `wanted` checkpoints, and prove changes for the first of
        the `provable` ones. Return a note if that fails.
        """
        try:
            known = self._diagnose(wanted)
            for id in self._first_failures(provable)[: self.grading.job.prove]:
                self._prove(id, known.get(id, ()))
        except (GraderError, OSError):
            raise
        except Exception as error:  # the verdicts remain valid
            if os.environ.get("GRADE_DEBUG"):
                raise
            return [f"{UNEXPLAINED} ({type(error).__name__}: {safe(str(error), 100)})"]
        return []

    def _diagnose(self, wanted: Collection[str]) -> Mapping[str, Sequence[Known]]:
        """Add diagnoses to these failures. Return the known mistakes that behave like them.

        The blocking checkpoint explains a blocked one. Scripts are the course's own, so nothing
        more is asked of an engine with an adapter.
        """
        grading, results = self.grading, self.results
        job = grading.job
        failed = {
            id: grading.outcomes[id].evidence
            for id in wanted
            if results[id].verdict is Verdict.FAILED
        }
        failures = {id: evidence for id in results if (evidence := failed.get(id)) is not None}
        if not failures or job.adapter is not None:
            return {}
        from grader.judge.explain.diagnose import Doctor
        from grader.judge.explain.rerun import Rerun
        from grader.judge.script.source import with_comment

        # ungraded checkpoints explain nothing
        all_ids = {checkpoint.id for checkpoint in job.course.checkpoints}
        passed = all_ids - {id for id, r in results.items() if r.verdict is not Verdict.PASSED}
        if any(evidence.fault is None for evidence in failures.values()):
            grading.memory = grading.memory.without_refusals()
        doctor = Doctor(
            job.course, job.course.graph, job.host.worker, grading.session_for, job.caches.replies
        )
        with closing(doctor), suppress(OutOfTime):  # the verdicts remain valid
            if job.look is not None:
                job.look(failures, grading.session)
            for id, diagnosis in doctor.diagnose(failures, passed).items():
                is_missing = results[id].kind is Kind.MISSING_NAME  # so no place is wrong
                where = (not is_missing and diagnosis.where) or results[id].where
                results[id] = replace(results[id], diagnosis=diagnosis, where=where)
            for id, again in doctor.again.items():
                if again.outcome is not Rerun.SAME:
                    told = with_comment(results[id].reproduce, again.comment(failures[id]))
                    results[id] = replace(results[id], reproduce=told)
        return doctor.known

    def _first_failures(self, wanted: Collection[str]) -> list[str]:
        """Return the first failure of each phase that a learner sees, with bonus failures last."""
        shown = [
            result
            for id, result in self.results.items()
            if id in wanted
            and result.verdict is Verdict.FAILED
            and result.visibility is Visibility.VISIBLE
            and not self.grading.job.course.stage_of(id).answers
        ]
        first: dict[str, str] = {}
        for result in sorted(shown, key=lambda result: result.bonus):
            first.setdefault(self.grading.job.course.stage_of(result.id).id, result.id)
        return list(first.values())

    def _prove(self, id: str, known: Sequence[Known]) -> None:
        """Add a change that fixes it to a failure, if one is found."""
        evidence = self.grading.outcomes[id].evidence
        if evidence is None or not self.grading.job.course.solutions.is_dir():
            return
        from grader.judge.explain.mend import Mender
        from grader.judge.explain.sentences import with_proof

        verdicts = {each: result.verdict for each, result in self.results.items()}
        proof = Mender(self.grading.job).proof(id, evidence, verdicts)
        result = self.results[id]
        if proof is not None and proof.lines:
            self.results[id] = with_proof(result, proof, known, self.grading.job.course)
        elif proof is not None and proof.phase and not result.frames:
            where = result.where if proof.gone else None
            if where is None or where.function != proof.place.function:
                self.results[id] = replace(result, where=proof.place)


def grade_stages(
    job: Job, stages: Sequence[Stage], *, only: Collection[str] | None, diagnose: bool
) -> Report:
    """Grade the stages as the job says: once, or `only` these of their checkpoints; or all of them
    with `isolate`.
    """
    if job.isolate:
        return _grade_isolated(job, stages, diagnose=diagnose)
    graded = _graded(job, stages, only)
    notes = graded.explain(graded.asked, graded.asked) if diagnose else []
    return _report(job, graded.grading, stages, graded.results, notes)


def _grade_isolated(job: Job, stages: Sequence[Stage], *, diagnose: bool) -> Report:
    """Grade the stages with the learner's own code. Then regrade each stage that does not pass, in
    the order of the course, with the reference for the stages before it, unless all of these pass.
    """
    from grader.judge.explain.sentences import mended

    job = replace(job, budget=Budget(job.host.clock))
    own = _graded(replace(job, isolate=False, met=None), stages)
    missing = {
        stage: _missing(stage, own.results)
        for stage in stages
        if not own.passed.issuperset(c.id for s in job.swapped(stage) for c in s.checkpoints)
    }
    doubtful = [stage for stage, ids in missing.items() if ids]
    isolated = _graded(replace(job, met=None), doubtful, set().union(*missing.values()))
    passed = own.passed | isolated.passed
    chosen = {
        id for id in isolated.asked if id in isolated.passed or own.results[id].blocked_by in passed
    }
    results = own.results | {id: isolated.results[id] for id in chosen}
    failed = {id for id in isolated.asked if results[id].verdict is Verdict.FAILED}
    notes: list[str] = []
    if diagnose:  # with the reference last
        notes += own.explain(own.asked - chosen, own.asked - isolated.asked)
        notes += isolated.explain(chosen, failed)
        results = own.results | {id: isolated.results[id] for id in chosen}
    for id in failed - chosen:  # a change is tried where earlier mistakes cannot spoil it
        if (found := isolated.results[id].diagnosis) and found.mend:
            results[id] = mended(results[id], found.mend)
    if not job.shows_output:  # it may show the reference
        results |= {id: replace(results[id], output="") for id in chosen}
    return _report(job, own.grading, stages, results, notes)


def _missing(stage: Stage, own: Mapping[str, CheckResult]) -> set[str]:
    """Return the failing checkpoints of a stage that is begun but lacks points."""
    verdicts = {own[each.id].verdict for each in stage.checkpoints if not each.bonus}
    if verdicts in ({Verdict.NOT_STARTED}, {Verdict.PASSED}):
        return set()
    return {each.id for each in stage.checkpoints if own[each.id].verdict is not Verdict.PASSED}


def _graded(job: Job, stages: Sequence[Stage], only: Collection[str] | None = None) -> Graded:
    grading = run_suites(job, stages, only=only)
    results = results_of(job, grading.outcomes)
    if earlier := earlier_outcomes(grading, stages, results):
        results = results_of(job, grading.outcomes | earlier)
    return Graded(stages, grading, results)


def _report(
    job: Job,
    grading: Grading,
    stages: Sequence[Stage],
    results: Mapping[str, CheckResult],
    notes: list[str],
) -> Report:
    submission = job.submission
    on_files = () if job.adapter else notes_on_files([stage.file for stage in stages], submission)
    notes = [*submission.notes, *on_files, *notes]
    said = {(frame.file, frame.line) for each in results.values() for frame in each.frames}
    unsaid = (note for note in grading.memory.notes if (note.shown, note.line) not in said)
    notes += bounded(map(sentence, unsaid), "more statements were only partly run")
    notes += [f"the code was allowed to import {joined(job.packages)}"] if job.packages else []
    notes += [
        f"{name} is not available while grading; a placeholder replaced it"
        for name in grading.memory.absent
    ]
    return Report(
        version=__version__,
        seed=job.seed,
        isolation=grading.isolation or _isolation(job),
        origin=submission.origin,
        sha256=submission.sha256,
        phases=tuple(
            PhaseResult(
                stage.id,
                stage.title,
                tuple(results[each.id] for each in stage.checkpoints if each.id in results),
                submission.hash_of(job.course.modules_until(stage)),
                _functions(grading, stage),
                code=hash_of_functions(submission, job.course, stage),
            )
            for stage in stages
        ),
        notes=tuple(notes),
    )


def _functions(grading: Grading, stage: Stage) -> dict[str, str]:
    """Return the functions of this stage and of earlier ones in its file, with their hashes."""
    course = grading.job.course
    asked = {
        name
        for other in (*course.before(stage), stage)
        if other.file == stage.file
        for name in other.asked
    }
    return {
        name: digest for name, digest in grading.written.get(stage.id, {}).items() if name in asked
    }


def _isolation(job: Job) -> Isolation:
    """Return the isolation that a worker proves, if no worker was needed for grading."""
    with closing(job.host.worker()) as transport:
        return transport.isolation
