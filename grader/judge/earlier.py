"""Grade earlier stages that were not requested but may explain a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from grader.curriculum.model import Course, Stage
from grader.model import Verdict

if TYPE_CHECKING:
    from grader.judge.plugin import Grading
    from grader.judge.verdicts import Outcome


def earlier_outcomes(grading: Grading, stages: Sequence[Stage]) -> dict[str, Outcome]:
    """Return the outcomes of earlier stages that were not requested but may explain a failure."""
    from grader.judge.plugin import run_suites

    if grading.job.rest_is_right:
        return {}
    course = grading.job.course
    failed = {
        id: outcome for id, outcome in grading.outcomes.items() if outcome.used or outcome.stub
    }
    used = {name for outcome in failed.values() for name in (*outcome.used, outcome.stub)}
    last = max(
        (course.stages.index(stage) for id in failed if not (stage := course.stage_of(id)).alone),
        default=0,
    )
    # swapped stages explain nothing
    swapped = {stage for other in stages for stage in grading.job.swapped(other)}
    missing = [
        stage
        for stage in course.stages[:last]
        if stage not in (*stages, *swapped) and not stage.alone and _may_explain(stage, used)
    ]
    only = _worth_asking(course, missing, failed)
    found = run_suites(grading.job, missing, grading, only).outcomes if missing else {}
    # an error explains nothing
    return {id: outcome for id, outcome in found.items() if outcome.verdict is not Verdict.ERROR}


def _worth_asking(
    course: Course, missing: Sequence[Stage], failed: Mapping[str, Outcome]
) -> frozenset[str]:
    """Return the checkpoints of the missing stages that can explain a failure.

    In the files that the failing one builds on, only a few can. In its own file, all of them help
    to distinguish mistakes, and so do all if a function is not written yet.
    """
    used = {name for outcome in failed.values() for name in outcome.used}
    stub = any(outcome.stub for outcome in failed.values())
    modules = {course.stage_of(id).module for id in failed}
    return frozenset(
        checkpoint.id
        for stage in missing
        for checkpoint in stage.checkpoints
        if stub or stage.module in modules or not used.isdisjoint(checkpoint.proves)
    )


def _may_explain(stage: Stage, used: AbstractSet[str]) -> bool:
    """Return whether a checkpoint of the stage may explain a failure that used these names.

    A network, for example, explains nothing about an operator.
    """
    return any(
        not used.isdisjoint((*checkpoint.proves, *checkpoint.methods))
        for checkpoint in stage.checkpoints
    )
