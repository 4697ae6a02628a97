"""Turn the outcomes of checks into results.

A failure that an earlier checkpoint explains is blocked by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from grader.curriculum.model import Checkpoint
from grader.judge.job import Job
from grader.judge.verdicts import Outcome
from grader.model import CheckResult, Frame, Kind, Verdict


class Blocker(NamedTuple):
    """The earlier checkpoint that must work first, and a sentence that says so."""

    id: str
    message: str


def results_of(job: Job, outcomes: Mapping[str, Outcome]) -> dict[str, CheckResult]:
    """Return the results, in the order of the course."""
    results: dict[str, CheckResult] = {}
    for checkpoint in job.course.checkpoints:
        if (outcome := outcomes.get(checkpoint.id)) is not None:
            stage = job.course.stage_of(checkpoint.id)
            blocker = _blocker(job, checkpoint, outcome, results)
            result = _result(checkpoint, stage.titles[checkpoint.id], outcome, blocker)
            working = _working(job, results) if result.frames else set()
            graded = _graded(result.frames, stage.file, working)
            ends = result.kind is Kind.RAISED and "RecursionError" not in str(result.got)
            counts = Counter(() if ends else graded)  # most of a recursion is at its cause
            where = max(reversed(graded), key=counts.__getitem__) if graded else None
            results[checkpoint.id] = replace(result, where=where)
    return results


def _graded(frames: Sequence[Frame], file: str, working: set[str]) -> Sequence[Frame]:
    """Return the lines that may be to blame for an exception: those in the graded file, outside
    functions that work.
    """
    graded = [frame for frame in frames if frame.file.rpartition("/")[2] == file] or frames
    names = {name.rpartition(".")[2] for name in working}
    return [frame for frame in graded if frame.function not in names] or graded


def _working(job: Job, results: Mapping[str, CheckResult]) -> set[str]:
    """Return the functions covered by a passed checkpoint."""
    return {
        name
        for other in job.course.checkpoints
        if other.id in results and results[other.id].verdict is Verdict.PASSED
        for name in other.methods
    }


def _blocker(
    job: Job, checkpoint: Checkpoint, outcome: Outcome, results: Mapping[str, CheckResult]
) -> Blocker | None:
    if outcome.verdict is not Verdict.FAILED:
        return None
    for earlier in job.course.checkpoints:
        if earlier.id == checkpoint.id:
            break
        known = results.get(earlier.id)
        if known is None or not _may_block(job, earlier, known, checkpoint):
            continue
        if outcome.stub in earlier.methods:
            return _by_function(job, earlier, known, outcome, results)
        for name in earlier.proves:
            if name in outcome.used and name not in checkpoint.proves:
                return _not_passed(_capability(name), known)
    return None


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


def _by_function(
    job: Job,
    earlier: Checkpoint,
    known: CheckResult,
    outcome: Outcome,
    results: Mapping[str, CheckResult],
) -> Blocker:
    """Return the checkpoint of a function that does not end or is not written.

    The message names a function that no passed checkpoint covers.
    """
    working = _working(job, results)
    used = outcome.stub
    if used in working:
        used = next((name for name in earlier.methods if name not in working), used)
    name = f"`{used.rpartition('.')[2]}`"
    if known.verdict is Verdict.NOT_STARTED or known.kind is outcome.kind:
        state = _STATES.get(outcome.kind or Kind.RAISED, "is not written yet")
        message = f"this one uses {name}, which {state}: see '{known.title}' ({known.id})"
        return Blocker(known.id, message)
    return _not_passed(name, known)


def _not_passed(used: str, known: CheckResult) -> Blocker:
    message = f"this one uses {used}, and '{known.title}' ({known.id}) does not pass yet"
    return Blocker(known.id, message)


_STATES = {Kind.TIMEOUT: "takes too long", Kind.MEMORY: "uses up the memory"}


def _capability(name: str) -> str:
    """Describe a capability that a checkpoint proves: `2 * a`, or the backward step of `+`."""
    sign, _, gradient = name.partition(" ")
    if not sign.isidentifier() and sign.startswith("r"):  # the reflected operator
        sign = f"2 {sign[1:]} a"
    sign = "-a" if sign == "neg" else sign
    return f"the backward step of `{sign}`" if gradient else f"`{sign}`"


def _result(
    checkpoint: Checkpoint, title: str, outcome: Outcome, blocker: Blocker | None
) -> CheckResult:
    result = CheckResult(
        checkpoint.id,
        title,
        outcome.verdict,
        checkpoint.points,
        checkpoint.bonus,
        duration_s=outcome.duration_s,
        visibility=checkpoint.visibility,
    )
    if blocker is None:
        return replace(result, **{name: getattr(outcome, name) for name in _OF_OUTCOME})
    result = replace(
        result, verdict=Verdict.BLOCKED, message=blocker.message, blocked_by=blocker.id
    )
    if outcome.kind in _STATES:
        return replace(result, kind=outcome.kind, reproduce=outcome.reproduce)
    return result


_OF_OUTCOME = (
    "kind", "message", "expected", "got", "reproduce", "how", "blocked_by", "frames", "output"
)  # fmt: skip
