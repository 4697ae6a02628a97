"""Let nobody lose points because the reference does not fit the design of an engine.

With `isolate`, a phase stands on the reference's functions. A correct engine may need its own:
perhaps its constructor takes one more argument, or its nodes are numbered when they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from grader.curriculum.model import Stage
from grader.judge.job import Job
from grader.judge.plugin import run_suites
from grader.model import CheckResult, PhaseResult, Report, Verdict

Results = Mapping[str, CheckResult]


def with_own_code(
    job: Job, stages: Sequence[Stage], report: Report, graded: Callable[[Job], Report]
) -> Report:
    """Return the report of a job with `isolate`, plus every checkpoint that passes when all phases
    are the learner's. `graded` grades another job.
    """
    together = replace(job, isolate=False, tell=None, met=None)
    doubtful = [stage for stage, phase in zip(stages, report.phases) if _is_doubtful(phase)]
    asked = {checkpoint.id for stage in doubtful for checkpoint in stage.checkpoints}
    failed = {result.id for result in report.checkpoints if result.verdict is Verdict.FAILED}
    # what is blocked waits for one that failed
    outcomes = run_suites(together, doubtful, only=asked & failed).outcomes if doubtful else {}
    if not any(outcome.verdict is Verdict.PASSED for outcome in outcomes.values()):
        return report
    own = {result.id: result for result in graded(together).checkpoints if result.id in asked}
    gained = _passed(own.values()) - _passed(report.checkpoints)
    if not gained:
        return report
    passed = {*_passed(report.checkpoints), *_passed(own.values())}
    phases = tuple(_chosen(phase, own, passed) for phase in report.phases)
    misfits = [stage.id for stage in stages if any(part.id in gained for part in stage.checkpoints)]
    where = ", ".join(misfits)
    note = f"the reference does not fit this code in {where}, so what passes without it counts"
    return replace(report, phases=phases, notes=(*report.notes, note))


def _is_doubtful(phase: PhaseResult) -> bool:
    """Return whether a phase that somebody wrote does not pass."""
    return not phase.done and any(
        result.verdict is not Verdict.NOT_STARTED for result in phase.checkpoints
    )


def _passed(results: Collection[CheckResult]) -> set[str]:
    return {result.id for result in results if result.verdict is Verdict.PASSED}


def _chosen(phase: PhaseResult, own: Results, passed: Collection[str]) -> PhaseResult:
    """Return the phase with its own results where the reference does not fit, and everywhere else
    if a result is blocked by a checkpoint that passes.
    """
    misfit = any(
        result.id in own and _gains(result, own[result.id]) for result in phase.checkpoints
    )

    def choose(result: CheckResult) -> CheckResult:
        other = own.get(result.id, result)
        if result.verdict is Verdict.PASSED or _gains(result, other):
            return other if _gains(result, other) else result
        order = (other, result) if misfit else (result, other)
        return next((found for found in order if found.blocked_by not in passed), result)

    return replace(phase, checkpoints=tuple(map(choose, phase.checkpoints)))


def _gains(result: CheckResult, own: CheckResult) -> bool:
    return own.verdict is Verdict.PASSED and result.verdict is not Verdict.PASSED
