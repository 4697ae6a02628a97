"""Grade earlier checkpoints that were not requested but may explain a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from grader.curriculum.model import Course, Stage
from grader.model import CheckResult, Verdict

if TYPE_CHECKING:
    from grader.judge.grading import Grading
    from grader.judge.verdicts import Outcome


def earlier_outcomes(
    grading: Grading, stages: Sequence[Stage], results: Mapping[str, CheckResult]
) -> dict[str, Outcome]:
    """Return the outcomes of earlier checkpoints that may explain a failure among the results.

    Failures that the results already explain need no other reason.
    """
    from grader.judge.plugin import run_suites

    failed = {
        id: outcome
        for id, outcome in grading.outcomes.items()
        if outcome.verdict is Verdict.FAILED and not _is_explained(id, outcome, results, grading)
    }
    used = {name for outcome in failed.values() for name in (*outcome.used, outcome.stub)} - {""}
    if not used or grading.job.rest_is_right:
        return {}
    course = grading.job.course
    last = max(
        (course.stages.index(stage) for id in failed if not (stage := course.stage_of(id)).alone),
        default=0,
    )
    # swapped stages explain nothing, and a network explains nothing about an operator
    swapped = {stage for other in stages for stage in grading.job.swapped(other)}
    missing = [
        stage
        for stage in course.stages[:last]
        if stage not in (*stages, *swapped)
        and not stage.alone
        and any(not used.isdisjoint((*each.proves, *each.methods)) for each in stage.checkpoints)
    ]
    only = _worth_asking(course, missing, failed, used)
    found = run_suites(grading.job, missing, grading, only).outcomes if missing else {}
    # an error explains nothing
    return {id: outcome for id, outcome in found.items() if outcome.verdict is not Verdict.ERROR}


def _is_explained(
    id: str, outcome: Outcome, results: Mapping[str, CheckResult], grading: Grading
) -> bool:
    """Return whether another result explains this failure, by its own failure or because it is a
    stub.
    """
    by, course = results.get(results[id].blocked_by), grading.job.course
    return by is not None and (
        by.verdict is not Verdict.NOT_STARTED
        or outcome.stub in course.functions(course.stage_of(by.id))
    )


def _worth_asking(
    course: Course, missing: Sequence[Stage], failed: Mapping[str, Outcome], used: AbstractSet[str]
) -> frozenset[str]:
    """Return the checkpoints of the missing stages that can explain a failure.

    They prove the names that it `used`. Some prove no operation, but catch a mistake that the
    failing file may contain. If a function is not written yet, all of them help.
    """
    stub = any(outcome.stub for outcome in failed.values())
    modules = {course.stage_of(id).module for id in failed}
    caught = {id for stage in missing for faulty in stage.faulty for id in faulty.caught_by}
    return frozenset(
        checkpoint.id
        for stage in missing
        for checkpoint in stage.checkpoints
        if stub
        or not used.isdisjoint(checkpoint.proves)
        or (stage.module in modules and checkpoint.id in caught and not checkpoint.proves)
    )
