"""`grade dev check`: the course proves itself. Stubs fail, solutions pass, faulty engines are caught where promised.

Everything it says comes from gradings made in this run.
"""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from grader.conditions import DEFAULT_SEED, Conditions
from grader.courses import Course, Faulty, Stage, kit_folder, load_course
from grader.errors import CourseError, UsageError
from grader.grading import Workers, grade_submission
from grader.handed_in import read_submission
from grader.model import Report, Verdict
from grader.questions import QUESTIONS, SYMPTOMS, load_quiz
from grader.splice import definitions, splice
from grader.submission import File, Submission

SEEDS = (DEFAULT_SEED, 1, 2)


@dataclass(frozen=True)
class Caught:
    """One faulty engine, and the checkpoints that failed in every run."""

    faulty: Faulty
    failed: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Audit:
    """What was found: problems to mend, and for each faulty engine what catches it."""

    problems: tuple[str, ...]
    caught: tuple[Caught, ...]
    gradings: int


def audit(
    course: Course, *, only: Sequence[str] = (), repeat: int = 1, jobs: int | None = None, tell: Callable[[str], None]
) -> Audit:
    """Check everything that the course promises. `repeat` gradings of each faulty engine, and as many mirrored ones.

    `only` are ids of faulty engines, or of phases for all of theirs. Raises UsageError for one that is not known.
    """
    wanted = [(stage, faulty) for stage in course.stages for faulty in stage.faulty if not only or {stage.id, faulty.id} & {*only}]
    if unknown := {*only} - {name for stage, faulty in wanted for name in (stage.id, faulty.id)}:
        raise UsageError(f"there is no phase and no faulty engine {min(unknown)!r}", "name them as in phase3, or phase3.rsub-missing")
    problems = [*check_files(course), *check_mirror(course)]
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        ends = [pool.submit(_check_ends, seed, mirror=mirror) for seed in SEEDS for mirror in (False, True)]
        runs = [(faulty, _submit(pool, course, stage, faulty, repeat)) for stage, faulty in wanted]
        problems += [problem for end in ends for problem in end.result().problems]
        tell(f"stubs and solutions: {len(ends)} seeds and mirrored runs")
        for told in sorted({told for end in ends for told in end.result().not_here}):
            tell(told)
        caught = tuple(_judge(faulty, futures) for faulty, futures in runs)
    for entry in caught:
        problems += entry.problems
    return Audit(tuple(problems), caught, 2 * len(ends) + sum(len(futures) for _, futures in runs))


# --- the files ---


def check_files(course: Course) -> Iterator[str]:
    """Every file in place, none too many; hints and checklist items where they are promised."""
    known = {"__init__.py", "course.toml", QUESTIONS, SYMPTOMS, course.vocabulary, *course.shared, *(name.partition("/")[0] for name in course.styles), *(stage.id for stage in course.stages)}
    for entry in _entries(course.folder):
        if entry.name not in known:
            yield f"stray: {entry}"
    proved = {item for checkpoint in course.checkpoints for item in checkpoint.checklist}
    for item in sorted(proved - set(course.checklist)):
        yield f"no text for the checklist item {item!r}"
    for item in sorted(set(course.checklist) - proved):
        yield f"no checkpoint proves the checklist item {item!r}"
    for stage in course.stages:
        yield from _check_stage(stage)
    for item in sorted({*course.own_word} & {*course.checklist}):
        yield f"the checklist item {item!r} is proved by code, and needs nobody's word"
    yield from _check_quiz(course)
    for checkpoint, count in Counter(c.id for c in course.checkpoints).items():
        if count > 1:
            yield f"{checkpoint} is listed {count} times"


def _check_quiz(course: Course) -> Iterator[str]:
    try:
        quiz = load_quiz(course)
    except CourseError as error:
        yield error.message
        return
    asked = {question.checklist for question in quiz.questions}
    yield from (f"no question asks for the checklist item {item!r}" for item in sorted({*quiz.checklist} - {*course.checklist} - asked))


def _check_stage(stage: Stage) -> Iterator[str]:
    for entry in _entries(stage.folder):
        if entry.name not in {"stage.toml", "suite.py", "faulty", "__init__.py"}:
            yield f"stray: {entry}"
    tests = {name for name, _ in definitions(ast.parse(stage.suite.read_text(encoding="utf-8"))) if name.startswith("test_")}
    for name in sorted(tests ^ {checkpoint.function for checkpoint in stage.checkpoints}):
        yield f"{stage.id}: {name} is in the suite or in stage.toml, not in both"
    yield from (f"{stage.id}: the hint {level!r} is empty" for level, text in stage.hints if not text)
    if len(stage.titles) != len(set(stage.titles.values())):
        yield f"{stage.id}: two checkpoints have the same title"


def _entries(folder: Path) -> Iterable[Path]:
    return (entry for entry in sorted(folder.iterdir()) if entry.name != "__pycache__")


def check_mirror(course: Course) -> Iterator[str]:
    """`exercises` and `solutions` have the same files, with the same names in the same order; every stub says its phase."""
    exercises, solutions = kit_folder("exercises"), kit_folder("solutions")
    for folder in (exercises, solutions):
        found = {entry.name for entry in _entries(folder) if not entry.name.startswith(".")}
        yield from (f"{folder.name}: {name}" for name in sorted(found ^ set(course.files)))
    for file in course.files:
        if file.removesuffix(".py") in sys.stdlib_module_names:
            yield f"{file}: a module of Python's own has that name, and what imports it gets the learner's"
        stubs = dict(definitions(ast.parse((exercises / file).read_text(encoding="utf-8"))))
        finished = dict(definitions(ast.parse((solutions / file).read_text(encoding="utf-8"))))
        if list(stubs) != list(finished):
            yield f"{file}: exercises and solutions differ in {sorted(set(stubs) ^ set(finished)) or 'order'}"
        for name, node in stubs.items():
            if ast.unparse(node.args) != ast.unparse(finished[name].args):  # type: ignore[union-attr]
                yield f"{file}: {name} has other arguments in the solution"
            if not ast.get_docstring(node):
                yield f"{file}: {name} has no docstring"
        for name in course.names(file):
            if "." in name and name not in stubs:
                yield f"{file}: {name} is asked for and not in the exercise"


# --- the gradings, each in a process that has nothing else to do ---


class Ends(NamedTuple):
    """What is wrong with stubs and solutions, and which comparisons could not be made, for want of a package."""

    problems: list[str]
    not_here: list[str]


def _check_ends(seed: int, *, mirror: bool) -> Ends:
    course = load_course()
    what = f"seed {seed}{', mirrored' if mirror else ''}"
    stubs = _grade(course, read_submission(kit_folder("exercises"), course.files), course.stages, seed, mirror=mirror)
    finished = _grade(course, read_submission(kit_folder("solutions"), course.files), course.stages, seed, mirror=mirror)
    wrong = [f"exercises, {what}: {r.id} {r.verdict.value}" for r in stubs.checkpoints if r.verdict is not Verdict.NOT_STARTED]
    open_ = [r for r in finished.checkpoints if r.verdict is not Verdict.PASSED]
    not_here = [r for r in open_ if r.bonus and r.wants_package]
    wrong += [f"solutions, {what}: {r.id} {r.verdict.value}: {r.message}" for r in open_ if r not in not_here]
    return Ends(wrong, [f"{r.id}: {r.message}" for r in not_here])


def _submit(
    pool: Executor, course: Course, stage: Stage, faulty: Faulty, repeat: int
) -> list[Future[list[tuple[str, str]]]]:
    until = max(index for index, other in enumerate(course.stages) for id in faulty.caught_by if other == course.stage_of(id))
    first = min(index for index, other in enumerate(course.stages) if other.file == stage.file)  # it changes none before
    stages = [other.id for other in course.stages[first : until + 1]]
    files = faulty_files(course, stage, faulty)
    return [  # one diagnosis shows that there can be one; it changes no verdict, and takes longer than the rest
        pool.submit(_verdicts, files, stages, mirror=mirror, diagnose=not number and not mirror)
        for number in range(repeat) for mirror in (False, True)
    ]  # fmt: skip


def faulty_files(course: Course, stage: Stage, faulty: Faulty) -> tuple[File, ...]:
    """The solutions, with the faulty functions in place of those in the file of this stage."""
    files = read_submission(kit_folder("solutions"), course.files).files
    return tuple(
        replace(file, source=splice(file.source.decode(), faulty.source, faulty.deletes).encode())
        if file.module == stage.module
        else file
        for file in files
    )


def _verdicts(files: tuple[File, ...], stages: list[str], *, mirror: bool, diagnose: bool) -> list[tuple[str, str]]:
    course = load_course()
    submission = Submission("faulty", files)
    wanted = tuple(course.stage(id) for id in stages)
    report = _grade(course, submission, wanted, DEFAULT_SEED, mirror=mirror, diagnose=diagnose)
    return [(result.id, result.verdict.value) for result in report.checkpoints if not result.bonus]


def _grade(  # noqa: PLR0913 - a grading and its conditions
    course: Course, submission: Submission, stages: tuple[Stage, ...], seed: int, *, mirror: bool, diagnose: bool = True
) -> Report:  # fmt: skip
    with Workers(len(stages), str(stages[0].suite)) as workers:
        return grade_submission(Conditions(course, submission, workers.connect, seed, mirror), stages, diagnose=diagnose)


def _judge(faulty: Faulty, futures: list[Future[list[tuple[str, str]]]]) -> Caught:
    runs = [tuple(id for id, verdict in future.result() if verdict == "failed") for future in futures]
    failed = runs[0]
    problems = []
    if not failed:
        problems.append(f"{faulty.id}: nothing catches it")
    elif failed[0] != faulty.caught_by[0]:
        problems.append(f"{faulty.id}: first caught by {failed[0]}, promised was {faulty.caught_by[0]}")
    problems += [f"{faulty.id}: {id} was promised and does not fail" for id in faulty.caught_by if id not in failed]
    if len(set(runs)) > 1:
        differing = sorted({id for run in runs for id in run if any(id not in other for other in runs)})
        problems.append(f"{faulty.id}: the verdict of {', '.join(differing)} is not the same in every run")
    errors = [id for future in futures for id, verdict in future.result() if verdict == "error"]
    problems += [f"{faulty.id}: {id} could not be judged" for id in sorted(set(errors))]
    return Caught(faulty, failed, tuple(problems))
