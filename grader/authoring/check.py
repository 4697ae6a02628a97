"""`grade dev check`: check that stubs fail, solutions pass, and the promised checkpoints catch the
faulty engines.

All results come from gradings in this run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from grader.authoring.course_files import check_files, check_mirror
from grader.authoring.trials import Graded, check_ends, submit
from grader.curriculum import packages
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import Course, Stage
from grader.errors import UsageError
from grader.judge.job import DEFAULT_SEED

SEEDS = (DEFAULT_SEED, 1, 2**31)


@dataclass(frozen=True)
class Caught:
    """A faulty engine, the checkpoints that failed, and the deviations from the promise."""

    faulty: Faulty
    failed: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Audit:
    """The result: problems to fix, and which checkpoints fail for each faulty engine."""

    problems: tuple[str, ...]
    caught: tuple[Caught, ...]
    gradings: int


def audit(
    course: Course,
    *,
    only: Sequence[str] = (),
    repeat: int = 1,
    jobs: int | None = None,
    tell: Callable[[str], None],
) -> Audit:
    """Check everything that the course promises. Grade each faulty engine `repeat` times, and as
    often with mirrored operands on the checkpoints that must catch it.

    `only` limits it to these phases and faulty engines; stubs and solutions are graded in their
    phases. If the files have problems, grade nothing. Raise UsageError for an unknown id or a
    missing package.
    """
    wanted = _wanted(course, only)
    named = {*only, *(stage.id for stage, _ in wanted)}
    stages = tuple(stage for stage in course.stages if not only or stage.id in named)
    problems = [*check_files(course), *check_mirror(course)]
    if problems:
        tell("nothing was graded; fix the files first")
        return Audit(tuple(problems), (), 0)
    _require_packages(course, stages, wanted)
    where, ids = (course.folder, course.private), [stage.id for stage in stages]
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        try:
            ends = [
                pool.submit(check_ends, where, ids, seed, mirror=mirror)
                for seed in SEEDS
                for mirror in (False, True)
            ]
            runs = [
                (faulty, submit(pool, course, stage, faulty, repeat)) for stage, faulty in wanted
            ]
            found = [end.result() for end in ends]
            problems += [problem for wrong, _ in found for problem in wrong]
            tell(f"stubs and solutions: {len(ends)} seeds and mirrored runs")
            for line in sorted({line for _, skipped in found for line in skipped}):
                tell(line)
            private = frozenset(each.id for each in course.checkpoints if each.private)
            caught = tuple(_judge(faulty, futures, private) for faulty, futures in runs)
        except BaseException:  # an error in one of them will repeat in the others
            pool.shutdown(cancel_futures=True)
            raise
    problems += [problem for entry in caught for problem in entry.problems]
    gradings = 2 * len(ends) + 1 + sum(len(futures) for _, futures in runs)
    return Audit(tuple(problems), caught, gradings)


def _wanted(course: Course, only: Sequence[str]) -> list[tuple[Stage, Faulty]]:
    """Return the faulty engines with these ids, or of these phases. Raise UsageError."""
    wanted = [
        (stage, faulty)
        for stage in course.stages
        for faulty in (*stage.faulty, *stage.private_faulty)
        if not only or {stage.id, faulty.id} & {*only}
    ]
    known = {*(stage.id for stage in course.stages), *(faulty.id for _, faulty in wanted)}
    if unknown := {*only} - known:
        raise UsageError(
            f"there is no phase or faulty engine {min(unknown)!r}",
            "name a phase or a faulty engine, such as phase1 or phase1.its-name",
        )
    return wanted


def _require_packages(
    course: Course, stages: Sequence[Stage], engines: Sequence[tuple[Stage, Faulty]]
) -> None:
    """Raise UsageError if a phase that would be graded needs a package that is not installed."""
    for stage in (*stages, *(course.stage_of(id) for _, one in engines for id in one.caught_by)):
        if missing := packages.absent(stage.packages):
            raise UsageError(
                f"{stage.id} cannot be checked, because {packages.advice(missing)}",
                "or check other phases, such as: grade dev check phase1",
            )


def _judge(faulty: Faulty, futures: list[Future[Graded]], private: frozenset[str]) -> Caught:
    """Compare the runs with what the course promises.

    Failures of private checkpoints count only for faulty engines of the private suites: the course
    must keep its promises without them.
    """
    runs = [future.result() for future in futures]
    first = dict(runs[0][0])
    failed = tuple(
        id
        for id, verdict in first.items()
        if verdict == "failed" and (id not in private or private.intersection(faulty.caught_by))
    )
    problems = [
        f"{id} is in caught_by but does not fail" for id in faulty.caught_by if id not in failed
    ]
    if failed[:1] != faulty.caught_by[:1]:
        problems.insert(0, f"first caught by {', '.join(failed[:1]) or 'nothing'}")
    verdicts = [(id, verdict) for run, _ in runs for id, verdict in run]
    problems += [
        f"the verdict of {id} differs between runs"
        for id in sorted({id for id, got in verdicts if (got, first[id]).count("failed") == 1})
    ]
    problems += [
        f"{id} could not be judged"
        for id in sorted({id for id, verdict in verdicts if verdict == "error"})
    ]
    problems += [problem for _, found in runs for problem in found]
    return Caught(faulty, failed, tuple(f"{faulty.id}: {problem}" for problem in problems))
