"""Grade a submission: `grade(submission, phases, ...) -> Report`."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from grader import __version__
from grader.boundary.isolation import MOST, check_level
from grader.boundary.pool import ProcessHost
from grader.boundary.transport import Host
from grader.curriculum import packages
from grader.curriculum.load import load_course
from grader.curriculum.model import Course, Stage
from grader.curriculum.select import GROUPS
from grader.errors import UsageError
from grader.intake.cell_notes import sentences
from grader.intake.functions import hash_of_functions
from grader.intake.near_misses import notes_on_files
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.judge.budget import OutOfTime
from grader.judge.job import DEFAULT_SEED, Caches, Job
from grader.judge.memory import Memory
from grader.judge.results import results_of
from grader.judge.session import LearnerFault, WorkerLost
from grader.model import CheckResult, Isolation, PhaseResult, Report, Verdict, Work

ALL_BUT = "all-but"

if TYPE_CHECKING:
    from grader.intake.adapter import Adapter
    from grader.judge.diagnosis.evidence import Evidence
    from grader.judge.plugin import Grading
    from grader.judge.session import Session
    from grader.judge.verdicts import Outcome

    Look = Callable[[Mapping[str, Evidence], Callable[[Stage], Session]], None]


def grade(  # noqa: PLR0913 - keyword arguments
    path: str | os.PathLike[str],
    phases: Sequence[str] = ("all",),
    *,
    seed: int = DEFAULT_SEED,
    course: Course | None = None,
    isolation: int = MOST,
    require_isolation: int = 0,
    swap: str = "",
    isolate: bool = False,
    adapter: Adapter | None = None,
) -> Report:
    """Grade a folder, a file, a notebook or an archive and return a frozen report.

    `phases` are ids, numbers, ranges or `all`, or ids of single checkpoints, which are graded with
    their phase. `seed` draws the random graphs. `isolation` is the highest isolation level to use,
    `require_isolation` the lowest to accept. The phases that `swap` selects (`1-3`, `all-but 4`)
    come from the reference; with `isolate`, every phase is graded with the reference for all the
    others. With an `adapter`, the submission is an engine that was not written for this course. A
    phase whose packages are not installed is blocked if it is named. As part of `all` or `extras`
    it is left out, with a note.

    Raise SubmissionError or UsageError for bad input, IsolationError if this machine gives less
    isolation than required, InternalError if the grader itself fails.
    """
    course = course or load_course()
    asked = select(course, (phases,) if isinstance(phases, str) else tuple(map(str, phases)))
    request = Request(
        course,
        asked,
        seed=seed,
        isolation=isolation,
        require_isolation=require_isolation,
        swap=select_swapped(course, swap),
        isolate=isolate,
        adapter=adapter,
    )
    return grade_request(path, request).only(asked.checkpoints)


class Selection(NamedTuple):
    """The requested phases and checkpoints, and why some phases are left out."""

    stages: tuple[Stage, ...]
    checkpoints: frozenset[str]
    left_out: Sequence[str]


ISOLATED = "each phase was graded with the reference for all other phases"


@dataclass(frozen=True)
class Request:
    """The settings of a grading.

    `mirror` swaps the operands of + and *. A given `host` decides how its workers are isolated.
    `tell` receives the title of each check when it begins, `met` the results so far whenever one
    fails, and `look` the evidence of the failures.
    Requests that share `caches` share everything that does not depend on a submission.
    """

    course: Course
    asked: Selection
    seed: int = DEFAULT_SEED
    isolation: int = MOST
    require_isolation: int = 0
    swap: tuple[Stage, ...] = ()
    isolate: bool = False
    adapter: Adapter | None = None
    mirror: bool = False
    host: Host | None = None
    tell: Callable[[str], None] | None = None
    met: Callable[[Sequence[CheckResult]], None] | None = None
    look: Look | None = None
    caches: Caches = field(default_factory=Caches)


def grade_request(path: str | os.PathLike[str], request: Request) -> Report:
    """Grade like `grade`, and report every checkpoint of the requested phases."""
    if request.swap or request.isolate:
        request.course.require_solutions(
            "grading with the reference", "grade without --isolate and --swap"
        )
    with _start(request) as host:
        job = Job(
            request.course,
            _read(path, request, host),
            host,
            seed=request.seed,
            mirror=request.mirror,
            swap=request.swap,
            isolate=request.isolate,
            adapter=request.adapter,
            tell=request.tell,
            met=request.met,
            caches=request.caches,
        )
        if request.adapter is not None:
            _verify(job, request.adapter)
        report = grade_submission(
            job, request.asked.stages, diagnose=request.adapter is None, look=request.look
        )
    check_level(report.isolation, request.require_isolation)  # a given host knows no requirement
    return replace(
        report,
        notes=(*report.notes, *request.asked.left_out, *_swap_notes(request)),
        swapped=tuple(stage.id for stage in request.swap),
    )


def _read(path: str | os.PathLike[str], request: Request, host: Host) -> Submission:
    """Read the submission, whatever its form."""
    adapter = request.adapter
    if adapter is None:
        wanted = [stage.file for stage in request.asked.stages]
        return read_submission(path, request.course.files, host.reader, wanted)
    from grader.intake.foreign import read_foreign, root_for
    from grader.judge.adapted import check_words

    if request.swap or request.isolate:
        raise UsageError(
            "swapped phases need an engine that was written for this course",
            "leave out either the swapped phases or the adapter",
        )
    if request.course.graph is None:
        raise UsageError(
            "this course has no [graph]", "an adapter needs the course's own names for a node"
        )
    check_words(adapter, request.course)
    if missing := packages.absent(adapter.packages):
        raise UsageError(
            f"{adapter.where}: 'packages': {packages.advice(missing)}",
            "install them next to the kit",
        )
    return read_foreign(root_for(path, adapter), adapter, host.reader, path)


def _start(request: Request) -> AbstractContextManager[Host]:
    """Return the given host, or a new one that uses processes."""
    if request.host is not None:
        return nullcontext(request.host)
    secret = str(request.asked.stages[0].suite)
    return ProcessHost(
        secret,
        request.isolation,
        request.require_isolation,
        backstop=not request.course.every_check_ends,
    )


def _verify(job: Job, adapter: Adapter) -> None:
    """Try an engine's adapter. Raise UsageError if its class is missing.

    Grading finds all other problems.
    """
    assert job.course.graph is not None
    module, _, node = job.course.graph.make.rpartition(".")
    stage = next(stage for stage in job.course.stages if stage.module == module)
    session = job.session(stage, job.host.worker, Memory())
    try:
        names = session.load().names
    except (LearnerFault, WorkerLost):
        return
    finally:
        session.close()
    if node in names and names[node].state != "present":
        raise UsageError(
            f"{adapter.where}: 'class' is {adapter.owner!r}, and {session.module} has no such"
            " class",
            "name the class of a node, or run: grade adapt",
        )


def select(course: Course, words: Sequence[str]) -> Selection:
    """Return the phases and checkpoints meant by `phase4`, `1-4`, `phase4.seed` or `all`.

    Raise UsageError.
    """
    if not words:
        raise UsageError("no phases to grade", "name some, or 'all'")
    stages, left_out = select_stages(course, words)
    return Selection(stages, course.select_checkpoints(words), left_out)


def select_stages(course: Course, words: Sequence[str]) -> tuple[tuple[Stage, ...], list[str]]:
    """Return the stages to grade, and why some in a group are left out."""
    stages, named = (
        course.select(list(words)),
        course.select([word for word in words if word not in GROUPS]),
    )
    missing = {stage: packages.absent(stage.packages) for stage in stages if stage not in named}
    present = tuple(stage for stage in stages if not missing.get(stage))
    told = [
        f"{stage.id} is skipped because {packages.advice(names)}"
        for stage, names in missing.items()
        if names
    ]
    if not present:
        raise UsageError("nothing can be graded", "; ".join(told))
    return present, told


def select_swapped(course: Course, words: str) -> tuple[Stage, ...]:
    """Return the stages meant by `1-3`, `phase1,phase3` or `all-but 4`. Raise UsageError.

    `all-but` includes the optional ones.
    """
    chosen = words.replace(",", " ").split()
    if chosen[:1] != [ALL_BUT]:
        return course.select(chosen)
    if not chosen[1:]:
        raise UsageError(f"{ALL_BUT} which phase?", f"for example: --swap {ALL_BUT} 4")
    kept = course.select(chosen[1:])
    return tuple(stage for stage in course.stages if stage not in kept)


def _swap_notes(request: Request) -> Iterator[str]:
    if request.isolate:
        yield ISOLATED
    elif request.swap:
        yield (
            f"the reference replaced {request.course.words_for(request.swap)}, so passing there"
            " proves nothing about this code"
        )


def grade_submission(
    job: Job, stages: Sequence[Stage], *, diagnose: bool = True, look: Look | None = None
) -> Report:
    """Grade like `grade`, with a submission that is already read and any kind of worker.

    With `diagnose` False there are only verdicts.
    """
    job.host.expect(len(stages) + 1)  # a background check needs one; they start during imports
    from grader.judge.plugin import run_suites

    grading = run_suites(job, stages)
    results = results_of(job, grading.outcomes | _earlier(grading, stages))
    if diagnose:
        wanted = {checkpoint.id for stage in stages for checkpoint in stage.checkpoints}
        results |= _diagnosed(job, grading, results, wanted, look)
    return _report(job, grading, stages, results)


def _report(
    job: Job, grading: Grading, stages: Sequence[Stage], results: Mapping[str, CheckResult]
) -> Report:
    submission = job.submission
    notes = [*submission.notes, *notes_on_files(job.course, stages, submission)]
    notes += sentences(grading.told)
    notes += [
        f"{name} is not available while grading; a placeholder replaced it"
        for name in grading.absent
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
                tuple(results[checkpoint.id] for checkpoint in stage.checkpoints),
                submission.hash_of(job.course.modules_until(stage)),
                _functions(grading, stage),
                code=hash_of_functions(submission, job.course, stage),
            )
            for stage in stages
        ),
        notes=tuple(notes),
        work=Work(grading.memory.made, dict(grading.memory.read)),
    )


def _functions(grading: Grading, stage: Stage) -> dict[str, str]:
    """Return the functions of this stage and of earlier ones in its file, with their hashes."""
    course = grading.job.course
    before = course.stages[: course.stages.index(stage) + 1]
    asked = {
        name
        for other in before
        if other.file == stage.file
        for c in other.checkpoints
        for name in c.methods
    }
    return {
        name: digest for name, digest in grading.written.get(stage.id, {}).items() if name in asked
    }


def _isolation(job: Job) -> Isolation:
    """Return the isolation that a worker proves, if no worker was needed for grading."""
    transport = job.host.worker()
    try:
        return transport.isolation
    finally:
        transport.close()


def _earlier(grading: Grading, stages: Sequence[Stage]) -> dict[str, Outcome]:
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


def _built_on(job: Job, failures: Mapping[str, Evidence], graded: Container[str]) -> set[str]:
    """Return the checkpoints of other files that were not graded because they explain nothing."""
    modules = {evidence.module for evidence in failures.values()}
    return {
        checkpoint.id
        for stage in job.course.stages
        if stage.module not in modules
        for checkpoint in stage.checkpoints
        if checkpoint.id not in graded
    }


def _diagnosed(
    job: Job, grading: Grading, results: dict[str, CheckResult], wanted: set[str], look: Look | None
) -> dict[str, CheckResult]:
    """Return the requested failures, each with its diagnosis.

    A blocked checkpoint is explained by the one that blocks it.
    """
    failed = {
        id: grading.outcomes[id].evidence for id in wanted if results[id].verdict is Verdict.FAILED
    }
    failures = {id: evidence for id in results if (evidence := failed.get(id)) is not None}
    if not failures or job.course.graph is None:
        return {}
    from grader.judge.diagnosis.again import Rerun
    from grader.judge.diagnosis.diagnose import Doctor
    from grader.judge.script.source import with_comment

    passed = {id for id, result in results.items() if result.verdict is Verdict.PASSED}
    passed |= _built_on(job, failures, results)
    doctor = Doctor(
        job.course, job.course.graph, job.host.worker, grading.session, job.caches.replies
    )
    try:
        if look is not None:
            look(failures, grading.session)
        diagnoses = doctor.diagnose(failures, passed)
        told = {
            id: with_comment(results[id].reproduce, again.comment(failures[id]))
            for id, again in doctor.again.items()
            if again.outcome is not Rerun.SAME
        }
        return {
            id: replace(
                results[id],
                diagnosis=diagnoses.get(id),
                reproduce=told.get(id, results[id].reproduce),
                where=doctor.places.get(id, results[id].where),
            )
            for id in {**diagnoses, **told, **doctor.places}
        }
    except OutOfTime:  # the verdicts remain valid
        return {}
    finally:
        doctor.close()
