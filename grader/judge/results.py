"""Turn the outcomes of checks into results.

A failure that an earlier checkpoint explains is blocked by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from itertools import takewhile

from grader.curriculum.model import Checkpoint
from grader.judge.job import Job
from grader.judge.memory import TOO_MUCH
from grader.judge.verdicts import Outcome
from grader.model import CheckResult, Ending, Frame, Kind, Verdict


def results_of(job: Job, outcomes: Mapping[str, Outcome]) -> dict[str, CheckResult]:
    """Return the results, in the order of the course."""
    results: dict[str, CheckResult] = {}
    for checkpoint in job.course.checkpoints:
        if (outcome := outcomes.get(checkpoint.id)) is not None:
            stage = job.course.stage_of(checkpoint.id)
            if outcome.verdict is Verdict.FAILED:
                outcome = _explained(job, checkpoint, outcome, results)
            results[checkpoint.id] = CheckResult(
                id=checkpoint.id,
                title=stage.titles[checkpoint.id],
                points=checkpoint.points,
                bonus=checkpoint.bonus,
                visibility=checkpoint.visibility,
                where=_where(job, outcome, stage.file, results),
                **{each.name: getattr(outcome, each.name) for each in fields(Ending)},
            )
    return results


def _where(
    job: Job, outcome: Outcome, file: str, results: Mapping[str, CheckResult]
) -> Frame | None:
    """Return the line to blame for an exception: the last one in the graded file, outside functions
    that work. Most of a recursion is at its cause.
    """
    graded = [each for each in outcome.frames if each.file.rpartition("/")[2] == file]
    graded = graded or [*outcome.frames]
    working = {name.rpartition(".")[2] for name in _working(job, results)} if graded else set()
    graded = [frame for frame in graded if frame.function not in working] or graded
    recurs = "RecursionError" in str(outcome.got) or outcome.kind is not Kind.RAISED
    counts = Counter(graded if recurs else ())
    return max(reversed(graded), key=counts.__getitem__, default=None)


def _working(job: Job, results: Mapping[str, CheckResult]) -> set[str]:
    """Return the functions covered by a passed checkpoint."""
    return {
        name
        for other in job.course.checkpoints
        if other.id in results and results[other.id].verdict is Verdict.PASSED
        for name in other.methods
    }


def _explained(
    job: Job, checkpoint: Checkpoint, outcome: Outcome, results: Mapping[str, CheckResult]
) -> Outcome:
    """Return the outcome, blocked by the first earlier checkpoint that explains it, if any does."""
    for earlier in takewhile(lambda each: each.id != checkpoint.id, job.course.checkpoints):
        known = results.get(earlier.id)
        if known is None or not _may_block(job, earlier, known, checkpoint):
            continue
        relied = outcome.used.difference(checkpoint.proves)
        used = [_capability(name) for name in earlier.proves if name in relied]
        if outcome.stub in earlier.methods:
            blamed = [outcome.stub, *earlier.methods]
            blamed = [name for name in blamed if name not in _working(job, results)] or blamed
            used = [f"`{blamed[0].rpartition('.')[2]}`"]
        if used:
            return Outcome(
                Verdict.BLOCKED,
                outcome.kind if outcome.kind in TOO_MUCH else None,
                message=f"this one uses {used[0]}, and '{known.title}' ({known.id}) does not pass"
                " yet",
                blocked_by=known.id,
                duration_s=outcome.duration_s,
            )
    return outcome


def _may_block(job: Job, earlier: Checkpoint, known: CheckResult, checkpoint: Checkpoint) -> bool:
    """Return whether an earlier checkpoint that does not pass may explain this one's failure."""
    course = job.course
    stage, other = course.stage_of(checkpoint.id), course.stage_of(earlier.id)
    not_asked = known.verdict is Verdict.NOT_STARTED and job.adapter is not None
    return (
        not not_asked
        and known.verdict is not Verdict.PASSED
        and earlier.visibility.within(checkpoint.visibility)  # hidden ones explain nothing
        and other not in job.swapped(stage)
        and (other is stage or not (other.alone or stage.alone))
    )


def _capability(name: str) -> str:
    """Describe a capability that a checkpoint proves: `2 * a`, or the backward step of `+`."""
    sign, _, gradient = name.partition(" ")
    if not sign.isidentifier() and sign.startswith("r"):  # the reflected operator
        sign = f"2 {sign[1:]} a"
    sign = "-a" if sign == "neg" else sign
    return f"the backward step of `{sign}`" if gradient else f"`{sign}`"
