"""The gradings of `grade dev check`, each in a separate process."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any, Union

from grader.authoring.faulty_engine import faulty_files
from grader.authoring.listings import false_lines
from grader.boundary.pool import ProcessHost
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import STAGE, Course, Stage
from grader.curriculum.source import definitions, replace_functions
from grader.curriculum.syntax import parse_python
from grader.errors import CourseError
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.grade import grade_submission
from grader.judge.graded import UNEXPLAINED
from grader.judge.job import DEFAULT_SEED, Job, load
from grader.model import Report, Verdict

HINTED = "solutions with the code of the hints"
WHOLE = 5  # one in this many faulty engines is graded in whole phases, and diagnosed

Where = tuple[Path, Union[Path, None]]
"""The folder of a course and the folder of its private suites."""


def check_ends(
    where: Where, stages: Sequence[str], seed: int, *, mirror: bool
) -> tuple[list[str], list[str]]:
    """Grade the stubs and the solutions of these stages with this seed; with the default seed, also
    the code of the hints. Return the problems, and the comparisons that lack a package.
    """
    course, _ = load(*where)
    what = f"seed {seed}{', mirrored' if mirror else ''}"
    problems, skipped = list[str](), list[str]()
    graded = {
        "exercises": read_submission(course.exercises, course.files),
        "solutions": read_submission(course.solutions, course.files),
    }
    if (seed, mirror) == (DEFAULT_SEED, False):
        solved = graded["solutions"].files
        hinted = [replace(file, source=_with_hints(course, file)) for file in solved]
        graded[HINTED] = Submission("hints", tuple(hinted))
    for name, submission in graded.items():
        wanted = Verdict.NOT_STARTED if name == "exercises" else Verdict.PASSED
        chosen = [course.stage(id) for id in stages]
        for r in _grade(where, submission, chosen, seed=seed, mirror=mirror).checkpoints:
            if r.bonus and r.blocked_by and not r.waits_for:
                skipped.append(f"{r.id}: {r.message}")
            elif r.verdict is not wanted and not (name == HINTED and r.bonus):
                problems.append(f"{name}, {what}: {r.id} {r.verdict.value}: {r.message}")
    return problems, skipped


def _with_hints(course: Course, file: File) -> bytes:
    """Return a file of the solutions with the code hint of every function as its body. Raise
    CourseError if one is not Python.
    """
    functions, texts = dict(definitions(parse_python(file.source))), {}
    for stage in course.stages:
        for name, hints in stage.hints.items() if stage.module == file.module else ():
            if (node := functions.get(name)) is not None:
                try:
                    node.body = parse_python(hints.code or "no code").body
                except SyntaxError as error:
                    raise CourseError(
                        f"{stage.folder / STAGE}: the code hint about {name!r} is not Python: line"
                        f" {error.lineno}: {error.msg}",
                        "write the body of the function, without its `def` line",
                    ) from error
                texts[name] = ast.unparse(node).encode()
    return replace_functions(file.source, texts)


Graded = tuple[list[tuple[str, str]], list[str]]
"""The verdicts of one grading, and the problems of its report."""


def submit(
    pool: Executor, course: Course, stage: Stage, faulty: Faulty, repeat: int
) -> list[Future[Graded]]:
    """Grade a faulty engine `repeat` times, from the first checkpoint that can meet the mistake to
    the last one that must catch it, and as often mirrored, with other seeds and only the promised
    ones.

    Some are graded in all of these phases so that every checkpoint fails for some engine, and
    diagnosed, which takes as long as the rest and checks the lines to try.
    """
    ids = course.ids
    first = min(ids.index(id) for id in (_first_met(course, stage, faulty), *faulty.caught_by))
    last = max(map(ids.index, faulty.caught_by))
    is_whole = faulty in stage.faulty[::WHOLE]
    if is_whole:
        first = ids.index(course.stage_of(ids[first]).checkpoints[0].id)
        last = ids.index(course.stage_of(ids[last]).checkpoints[-1].id)
    met = ids[first : last + 1]
    files = faulty_files(course, stage, faulty)
    return [
        pool.submit(
            _verdicts,
            (course.folder, course.private),
            files,
            faulty.caught_by if mirror else met,
            mirror=mirror,
            seed=number + 1 if mirror else DEFAULT_SEED,
            rest_is_right=True,  # the files of earlier stages are the solution's
            diagnose=is_whole and not number and not mirror,
        )
        for number in range(repeat)
        for mirror in (False, True)
    ]


def _first_met(course: Course, stage: Stage, faulty: Faulty) -> str:
    """Return the first checkpoint that asks for a function which the mistake changes.

    Earlier ones pass without it. If no checkpoint asks for it, any checkpoint of its file may meet
    the mistake.
    """
    checkpoints = [
        c for other in course.stages if other.file == stage.file for c in other.checkpoints
    ]
    changed = set(faulty.changed)
    if changed <= {name for checkpoint in checkpoints for name in checkpoint.methods}:
        return next(c.id for c in checkpoints if changed.intersection(c.methods))
    return checkpoints[0].id


def _verdicts(
    where: Where, files: tuple[File, ...], only: Sequence[str], *, diagnose: bool, **how: Any
) -> Graded:
    """Grade these checkpoints, without the bonus ones."""
    course, _ = load(*where)
    counting = {*only} - {each.id for each in course.checkpoints if each.bonus}
    wanted = [
        stage for stage in course.stages if counting & {each.id for each in stage.checkpoints}
    ]
    report = _grade(where, Submission("faulty", files), wanted, counting, diagnose=diagnose, **how)
    verdicts = [(result.id, result.verdict.value) for result in report.checkpoints]
    problems = [note for note in report.notes if UNEXPLAINED in note]
    if diagnose:
        problems += [f"try it: {line}" for line in false_lines(report.checkpoints, files)]
    return verdicts, problems


def _grade(
    where: Where,
    submission: Submission,
    stages: Sequence[Stage],
    only: Collection[str] | None = None,
    *,
    diagnose: bool = True,
    **how: Any,
) -> Report:
    """Grade these checkpoints of the stages, or all of them, with these settings of the job."""
    course, caches = load(*where)
    job = Job(course, submission, ProcessHost(str(stages[0].suite)), caches=caches, **how)
    return grade_submission(job, stages, only=only, diagnose=diagnose)
