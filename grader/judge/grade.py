"""Grade a submission: `grade(submission, phases, ...) -> Report`."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from grader.boundary.isolation import MOST, check_level
from grader.boundary.pool import ProcessHost
from grader.boundary.transport import Host
from grader.curriculum import packages
from grader.curriculum.load import load_course
from grader.curriculum.model import Course, Stage
from grader.curriculum.select import GROUPS, checkpoints_named, shortest_words
from grader.errors import UsageError
from grader.intake.read import read_submission
from grader.intake.submission import Submission
from grader.judge.failures import LearnerFault, WorkerLost
from grader.judge.job import DEFAULT_SEED, Job, Settings
from grader.judge.memory import Memory
from grader.model import Report

ALL_BUT = "all-but"

if TYPE_CHECKING:
    from grader.intake.adapter import Adapter


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

    `phases` are ids, numbers, ranges or `all`, or ids of single checkpoints, graded with their
    phase. `seed` draws the random graphs. `isolation` is the highest isolation level to use,
    `require_isolation` the lowest to accept. The phases that `swap` selects (`1-3`, `all-but 4`)
    come from the reference; with `isolate`, every phase is also graded with the reference for all
    earlier ones. With an `adapter`, the submission is an engine that was not written for this
    course. A phase whose packages are not installed is blocked if it is named. As part of `all` or
    `extras` it is skipped with a note.

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
        required=require_isolation,
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


ISOLATED = "each phase was graded with the reference for all earlier phases"


@dataclass(frozen=True)
class Request(Settings):
    """A request to grade phases of a course.

    A given `host` decides how its workers are isolated.
    """

    course: Course
    asked: Selection
    host: Host | None = None


def grade_request(path: str | os.PathLike[str], request: Request) -> Report:
    """Grade like `grade`, and report every checkpoint of the requested phases."""
    if request.swap or request.isolate:
        request.course.require_solutions(
            "grading with the reference", "grade without --isolate and --swap"
        )
    packages.require(request.packages)
    notes = [ISOLATED] if request.isolate else []
    if request.swap and not request.isolate:
        replaced = shortest_words(request.course.stages, request.swap)
        notes = [
            f"the reference replaced {replaced}, so passing there proves nothing about this code"
        ]
    host = request.host or ProcessHost(
        str(request.asked.stages[0].suite), request.isolation, request.required
    )
    job = Job(request.course, _read(path, request, host), host, **request.settings)
    if request.adapter is not None:
        _verify(job, request.adapter)
    report = grade_submission(job, request.asked.stages)
    check_level(report.isolation, request.required)  # a given host knows no requirement
    return replace(
        report,
        notes=(*report.notes, *request.asked.left_out, *notes),
        swapped=tuple(stage.id for stage in request.swap),
    )


def _read(path: str | os.PathLike[str], request: Request, host: Host) -> Submission:
    """Read the submission, whatever its form."""
    adapter = request.adapter
    if adapter is None:
        return read_submission(
            path, request.course.files, host.worker, [stage.file for stage in request.asked.stages]
        )
    from grader.intake.foreign import read_foreign, root_for
    from grader.judge.adapter_words import check_words

    if request.swap or request.isolate:
        raise UsageError(
            "swapped phases need an engine written for this course",
            "leave out either the swapped phases or the adapter",
        )
    check_words(adapter, request.course)
    if missing := packages.absent(adapter.packages):
        raise UsageError(
            f"{adapter.where}: 'packages': {packages.advice(missing)}",
            "install them next to the kit",
        )
    return read_foreign(root_for(path, adapter), adapter, host.worker, path)


def _verify(job: Job, adapter: Adapter) -> None:
    """Try an engine's adapter. Raise UsageError if its class is missing.

    Grading finds all other problems.
    """
    module, _, node = job.course.require_graph().make.rpartition(".")
    stage = next(stage for stage in job.course.stages if stage.module == module)
    with closing(job.session(stage, job.host.worker, Memory())) as session:
        try:
            names = session.load()
        except (LearnerFault, WorkerLost):
            return
    if node in names and names[node].state != "present":
        raise UsageError(
            f"{adapter.where}: 'class' is {adapter.owner!r}, and {session.module} does"
            " not define it",
            "name the class of a node, or run: grade adapt",
        )


def select(course: Course, words: Sequence[str]) -> Selection:
    """Return the phases and checkpoints meant by `phase4`, `1-4`, `phase4.seed` or `all`, without
    the phases of a group whose packages are not installed. Raise UsageError.
    """
    if not words:
        raise UsageError("no phases to grade", "name some, or 'all'")
    stages, named = (
        course.select(list(words)),
        course.select([word for word in words if word not in GROUPS]),
    )
    missing = {stage: packages.absent(stage.packages) for stage in stages if stage not in named}
    present = tuple(stage for stage in stages if not missing.get(stage))
    reasons = [
        f"{stage.id} is skipped because {packages.advice(names)}"
        for stage, names in missing.items()
        if names
    ]
    if not present:
        raise UsageError("nothing can be graded", "; ".join(reasons))
    checkpoints = (id for word in words for id in checkpoints_named(course.stages, word))
    return Selection(present, frozenset(checkpoints), reasons)


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


def grade_submission(
    job: Job, stages: Sequence[Stage], *, only: Collection[str] | None = None, diagnose: bool = True
) -> Report:
    """Grade like `grade`, with a submission that is already read and any kind of worker.

    With `only`, grade these checkpoints of the stages. With `diagnose` False there are only
    verdicts.
    """
    from grader.judge.graded import grade_stages
    from grader.judge.plugin import with_suites
    from grader.judge.written import with_files_joined

    if job.adapter is None:
        job = replace(job, submission=with_files_joined(job.submission, job.course))
    work = partial(grade_stages, job, stages, only=only, diagnose=diagnose)
    return with_suites(job.course, stages, work)
