"""`grade dev check`: check that stubs fail, solutions pass, and the promised checkpoints catch the
faulty engines.

All results come from gradings in this run.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, Union

from grader.authoring.listings import false_lines
from grader.boundary.pool import ProcessHost
from grader.curriculum.faulty import Faulty
from grader.curriculum.model import COURSE, SHOW, STAGE, SUITE, Course, Hints, Stage
from grader.curriculum.private import load_course_with
from grader.curriculum.source import definitions, replace_functions, splice
from grader.curriculum.syntax import parse_python, read_python
from grader.errors import CourseError, UsageError
from grader.intake.read import read_submission
from grader.intake.submission import File, Submission
from grader.judge.grade import grade_submission
from grader.judge.job import DEFAULT_SEED, Caches, Job
from grader.learner.quiz.questions import QUESTIONS, SYMPTOMS, load_quiz
from grader.model import Report, Verdict

SEEDS = (DEFAULT_SEED, 1, 2)
TABLE = "what-the-suites-catch.md"
LONGEST_TITLE = 60  # characters without backticks: a report shows a title on one line


@dataclass(frozen=True)
class Caught:
    """One faulty engine and the checkpoints that failed, as the first run found them; `problems`
    says what differs from the promise.
    """

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
    often with mirrored operands.

    `only` limits the faulty engines to these ids, or to all those of these phases. If the files
    have problems, grade nothing. Raise UsageError for an unknown id.
    """
    problems = [*check_files(course), *check_mirror(course)]
    if problems:
        tell("nothing was graded; fix the files first")
        return Audit(tuple(problems), (), 0)
    engines = [
        (stage, faulty)
        for stage in course.stages
        for faulty in (*stage.faulty, *stage.private_faulty)
    ]
    wanted = [
        (stage, faulty) for stage, faulty in engines if not only or {stage.id, faulty.id} & {*only}
    ]
    if unknown := {*only} - {name for stage, faulty in wanted for name in (stage.id, faulty.id)}:
        raise UsageError(
            f"there is no phase or faulty engine {min(unknown)!r}",
            "name a phase or a faulty engine, such as phase1 or phase1.its-name",
        )
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        try:
            ends = [
                pool.submit(_check_ends, (course.folder, course.private), seed, mirror=mirror)
                for seed in SEEDS
                for mirror in (False, True)
            ]
            hinted = pool.submit(_check_hints, (course.folder, course.private))
            runs = [
                (faulty, _submit(pool, course, stage, faulty, repeat)) for stage, faulty in wanted
            ]
            problems += [problem for end in ends for problem in end.result().problems]
            problems += hinted.result()
            tell(f"stubs and solutions: {len(ends)} seeds and mirrored runs")
            for told in sorted({told for end in ends for told in end.result().not_here}):
                tell(told)
            private = frozenset(
                checkpoint.id for checkpoint in course.checkpoints if checkpoint.private
            )
            caught = tuple(_judge(faulty, futures, private) for faulty, futures in runs)
        except BaseException:  # an error in one of them will repeat in the others
            pool.shutdown(cancel_futures=True)
            raise
    for entry in caught:
        problems += entry.problems
    gradings = 2 * len(ends) + 1 + sum(len(futures) for _, futures in runs)
    return Audit(tuple(problems), caught, gradings)


# --- the files ---


def check_files(course: Course) -> Iterator[str]:
    """Yield problems with the files: missing or stray ones, names that clash with Python's modules,
    and checklist items without a checkpoint or a text.
    """
    listed = {
        course.vocabulary,
        *course.shared,
        *(name.partition("/")[0] for name in course.styles),
        *(stage.id for stage in course.stages),
    }
    kit = {course.exercises.name, course.solutions.name}
    known = {COURSE, QUESTIONS, SYMPTOMS, "README.md", TABLE, *kit, *listed}
    for entry in _entries(course.folder):
        if entry.name not in known:
            yield f"unexpected file: {entry}; if suites import it, list it under shared in {COURSE}"
    yield from (
        f"{COURSE} lists {name!r}, which does not exist"
        for name in (*course.shared, *course.styles)
        if not (course.folder / name).is_file()
    )
    yield from (
        f"{name}: Python's own module of that name is imported instead"
        for name in (course.vocabulary, *course.shared)
        if name.removesuffix(".py") in sys.stdlib_module_names
    )
    proved = {item for checkpoint in course.checkpoints for item in checkpoint.checklist}
    for item in sorted(proved - set(course.checklist)):
        yield f"no text for the checklist item {item!r}"
    for item in sorted(set(course.checklist) - proved):
        yield f"no checkpoint proves the checklist item {item!r}"
    if course.private is not None:
        yield from (
            f"unexpected file: {entry}"
            for entry in _entries(course.private)
            if not entry.is_dir() and entry.name != "README.md"
        )
    for stage in course.stages:
        yield from _told(_check_stage(stage))
        yield from _check_stage_hints(stage, course.functions(stage))
        yield from _told(_check_faulty(course, stage))
    for item in sorted({*course.own_word} & {*course.checklist}):
        yield f"code proves the checklist item {item!r}, so remove it from own_word"
    yield from _told(_check_quiz(course))


def _told(problems: Iterator[str]) -> Iterator[str]:
    """Yield the problems; a CourseError becomes the last one."""
    try:
        yield from problems
    except CourseError as error:
        yield f"{error.message}; {error.hint}" if error.hint else error.message


def _check_quiz(course: Course) -> Iterator[str]:
    quiz = load_quiz(course)
    asked = {question.checklist for question in quiz.questions}
    yield from (
        f"no question asks for the checklist item {item!r}"
        for item in sorted({*quiz.checklist} - {*course.checklist} - asked)
    )


def _check_stage(stage: Stage) -> Iterator[str]:
    for folder in (stage.folder, stage.private):
        for entry in _entries(folder) if folder else ():
            if entry.name not in {STAGE, SHOW, SUITE, "faulty", "__init__.py"}:
                yield f"unexpected file: {entry}"
    tests = {
        name for name, _ in definitions(read_python(stage.suite)[1]) if name.startswith("test_")
    }
    functions = {checkpoint.function for checkpoint in stage.checkpoints if not checkpoint.private}
    for name in sorted(tests - functions):
        yield (
            f"{stage.suite}: {name} is not a checkpoint; add a [[checkpoint]] with the id"
            f" {_id_of(name)!r} to {STAGE}, or rename it"
        )
    for name in sorted(functions - tests):
        yield (
            f"{stage.suite}: there is no {name}; write it, or remove the checkpoint"
            f" {_id_of(name)!r} from {STAGE}"
        )
    if tests == functions:
        yield from _check_titles(stage)


def _check_stage_hints(stage: Stage, functions: Sequence[str]) -> Iterator[str]:
    """Yield each function of a stage without hints, and hints about other functions."""
    hinted, file = [hints.function for hints in stage.hints], stage.folder / STAGE
    seen = {n for each in stage.checkpoints if not each.private for n in each.methods}
    for name in functions:
        if name in seen and name not in hinted:
            yield f'{file}: there are no hints about {name!r}; write a table [hints."{name}"]'
    for name in hinted:
        if name not in functions:
            yield (
                f"{file}: there are hints about {name!r}, which this stage does not introduce;"
                f" its functions are {', '.join(functions)}"
            )


def _check_titles(stage: Stage) -> Iterator[str]:
    if len(stage.titles) != len(set(stage.titles.values())):
        yield f"{stage.id}: two checkpoints have the same title"
    for id, title in stage.titles.items():
        length = len(title.replace("`", ""))
        if length > LONGEST_TITLE:
            yield f"{id}: the title has {length} characters; use at most {LONGEST_TITLE}: {title}"


def _id_of(test: str) -> str:
    return test.removeprefix("test_").replace("_", "-")


def _check_faulty(course: Course, stage: Stage) -> Iterator[str]:
    ids = {checkpoint.id for checkpoint in course.checkpoints}
    for faulty in (*stage.faulty, *stage.private_faulty):
        if unknown := [id for id in faulty.caught_by if id not in ids]:
            mine = ", ".join(checkpoint.id for checkpoint in stage.checkpoints)
            yield (
                f"{faulty.file}: CAUGHT_BY names {unknown[0]!r}, which is not a checkpoint; the"
                f" checkpoints of this stage are {mine}"
            )
        try:
            if (course.solutions / stage.file).is_file():
                faulty_files(course, stage, faulty)
        except CourseError as error:
            yield f"{faulty.file}: {error.message} in {course.solutions / stage.file}"


def _entries(folder: Path) -> Iterable[Path]:
    """Return what is in a folder, except for what tools leave there."""
    return (
        entry
        for entry in sorted(folder.iterdir())
        if entry.name != "__pycache__" and not entry.name.startswith(".")
    )


def check_mirror(course: Course) -> Iterator[str]:
    """Yield problems with `exercises` and `solutions`: both must have the same files, with the same
    functions in the same order, and every stub needs a docstring.
    """
    for folder in (course.exercises, course.solutions):
        found = {entry.name for entry in _entries(folder)} if folder.is_dir() else set()
        yield from (
            f"there is no {folder / name}, although a stage names it as its file"
            for name in course.files
            if name not in found
        )
        yield from (
            f"unexpected file: {folder / name}; no stage names it as its file"
            for name in sorted(found - set(course.files))
        )
    for file in course.files:
        if file.removesuffix(".py") in sys.stdlib_module_names:
            yield (
                f"{file}: Python has its own module of that name; code that imports it would get"
                " the learner's"
            )
        if (course.exercises / file).is_file() and (course.solutions / file).is_file():
            yield from _told(_check_file(course, file))


def _check_file(course: Course, file: str) -> Iterator[str]:
    stubs, finished = (
        dict(definitions(read_python(folder / file)[1]))
        for folder in (course.exercises, course.solutions)
    )
    for name in (name for name in (*stubs, *finished) if not (name in stubs and name in finished)):
        there, other = ("exercises", "solutions") if name in stubs else ("solutions", "exercises")
        yield f"{file}: {name} is in {there} but not in {other}"
    both = [name for name in stubs if name in finished]
    if both != [name for name in finished if name in stubs]:
        yield f"{file}: exercises and solutions have their functions in a different order"
    for name in both:
        if ast.unparse(stubs[name].args) != ast.unparse(finished[name].args):  # type: ignore[union-attr]
            yield f"{file}: {name} has different arguments in the solution"
    yield from (
        f"{file}: {name} has no docstring"
        for name, node in stubs.items()
        if not ast.get_docstring(node)
    )
    known = {*stubs, *_bound(read_python(course.exercises / file)[1])}
    yield from (
        f"{file}: a checkpoint lists the method {name}, but the exercise does not have it"
        for name in course.names(file)
        if name not in known
    )


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes and variables."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        for target in (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else ()
        ):
            yield ast.unparse(target)


# --- the gradings, each in a separate process ---


Where = tuple[Path, Union[Path, None]]
"""The folder of a course and the folder of its private suites."""


class Ends(NamedTuple):
    """What is wrong with stubs and solutions, and which comparisons were skipped because a package
    is missing.
    """

    problems: list[str]
    not_here: list[str]


def _check_ends(where: Where, seed: int, *, mirror: bool) -> Ends:
    course, _ = _course(where)
    what = f"seed {seed}{', mirrored' if mirror else ''}"
    stubs = _grade(
        course, read_submission(course.exercises, course.files), course.stages, seed, mirror=mirror
    )
    finished = _grade(
        course, read_submission(course.solutions, course.files), course.stages, seed, mirror=mirror
    )
    wrong = [
        f"exercises, {what}: {r.id} {r.verdict.value}"
        for r in stubs.checkpoints
        if r.verdict is not Verdict.NOT_STARTED
    ]
    open_ = [r for r in finished.checkpoints if r.verdict is not Verdict.PASSED]
    not_here = [r for r in open_ if r.bonus and r.wants_package]
    wrong += [
        f"solutions, {what}: {r.id} {r.verdict.value}: {r.message}"
        for r in open_
        if r not in not_here
    ]
    return Ends(wrong, [f"{r.id}: {r.message}" for r in not_here])


def _check_hints(where: Where) -> list[str]:
    course, _ = _course(where)
    submission = Submission("hints", files_with_hints(course))
    report = _grade(course, submission, course.stages, DEFAULT_SEED, mirror=False)
    return [
        f"solutions with the code of the hints: {r.id} {r.verdict.value}: {r.message}"
        for r in report.checkpoints
        if r.counts and r.verdict is not Verdict.PASSED
    ]


def files_with_hints(course: Course) -> tuple[File, ...]:
    """Return the solutions with the code hint of every function as its body."""
    return tuple(
        replace(file, source=_with_hints(course, file))
        for file in read_submission(course.solutions, course.files).files
    )


def _with_hints(course: Course, file: File) -> bytes:
    functions, texts = dict(definitions(parse_python(file.source))), {}
    for stage in course.stages:
        for hints in stage.hints if stage.module == file.module else ():
            if (node := functions.get(hints.function)) is not None:
                node.body = _body(stage, hints)
                texts[hints.function] = ast.unparse(node).encode()
    return replace_functions(file.source, texts)


def _body(stage: Stage, hints: Hints) -> list[ast.stmt]:
    try:
        return parse_python(hints.code).body
    except SyntaxError as error:
        raise CourseError(
            f"{stage.folder / STAGE}: the code hint about {hints.function!r} is not Python: line"
            f" {error.lineno}: {error.msg}",
            "write the body of the function, without its `def` line",
        ) from error


class Graded(NamedTuple):
    """The verdicts of one grading, and the false lines under `try it`."""

    verdicts: list[tuple[str, str]]
    false_lines: list[str]


def _submit(
    pool: Executor, course: Course, stage: Stage, faulty: Faulty, repeat: int
) -> list[Future[Graded]]:
    until = max(
        index
        for index, other in enumerate(course.stages)
        for id in faulty.caught_by
        if other == course.stage_of(id)
    )
    # earlier stages use other files, so the mistake cannot affect them
    first = min(index for index, other in enumerate(course.stages) if other.file == stage.file)
    stages = [other.id for other in course.stages[first : until + 1]]
    files = faulty_files(course, stage, faulty)
    # one diagnosis is enough to check the lines to try; it changes no verdict and takes longer than
    # the rest
    return [
        pool.submit(
            _verdicts,
            (course.folder, course.private),
            files,
            stages,
            mirror=mirror,
            diagnose=not number and not mirror,
        )
        for number in range(repeat)
        for mirror in (False, True)
    ]


def faulty_files(course: Course, stage: Stage, faulty: Faulty) -> tuple[File, ...]:
    """Return the solutions, with the faulty functions put into this stage's file."""
    files = read_submission(course.solutions, course.files).files
    return tuple(
        (
            replace(
                file, source=splice(file.source.decode(), faulty.source, faulty.deletes).encode()
            )
            if file.module == stage.module
            else file
        )
        for file in files
    )


def _verdicts(
    where: Where, files: tuple[File, ...], stages: list[str], *, mirror: bool, diagnose: bool
) -> Graded:
    course, _ = _course(where)
    submission = Submission("faulty", files)
    wanted = tuple(course.stage(id) for id in stages)
    report = _grade(course, submission, wanted, DEFAULT_SEED, mirror=mirror, diagnose=diagnose)
    verdicts = [
        (result.id, result.verdict.value) for result in report.checkpoints if not result.bonus
    ]
    return Graded(verdicts, list(false_lines(report.checkpoints, files)) if diagnose else [])


@cache
def _course(where: Where) -> tuple[Course, Caches]:
    """Return the course and its caches, both made once per process."""
    return load_course_with(*where), Caches()


def _grade(  # noqa: PLR0913 - a grading and its job
    course: Course,
    submission: Submission,
    stages: tuple[Stage, ...],
    seed: int,
    *,
    mirror: bool,
    diagnose: bool = True,
) -> Report:
    _, caches = _course((course.folder, course.private))
    with ProcessHost(str(stages[0].suite)) as host:
        job = Job(course, submission, host, seed, mirror, caches=caches)
        return grade_submission(job, stages, diagnose=diagnose)


def _judge(faulty: Faulty, futures: list[Future[Graded]], private: frozenset[str]) -> Caught:
    """Compare the runs with what the course promises.

    Failures of private checkpoints count only for faulty engines of the private suites: the course
    must keep its promises without them.
    """
    runs = [
        tuple(id for id, verdict in future.result().verdicts if verdict == "failed")
        for future in futures
    ]
    failed = tuple(
        id for id in runs[0] if id not in private or private.intersection(faulty.caught_by)
    )
    problems = []
    if not failed:
        problems.append(f"{faulty.id}: not caught by any checkpoint")
    elif failed[0] != faulty.caught_by[0]:
        problems.append(
            f"{faulty.id}: first caught by {failed[0]} instead of {faulty.caught_by[0]}"
        )
    problems += [
        f"{faulty.id}: {id} is in CAUGHT_BY but does not fail"
        for id in faulty.caught_by
        if id not in failed
    ]
    if len(set(runs)) > 1:
        differing = sorted(
            {id for run in runs for id in run if any(id not in other for other in runs)}
        )
        problems.append(f"{faulty.id}: the verdict of {', '.join(differing)} differs between runs")
    errors = [
        id for future in futures for id, verdict in future.result().verdicts if verdict == "error"
    ]
    problems += [f"{faulty.id}: {id} could not be judged" for id in sorted(set(errors))]
    problems += [
        f"{faulty.id}: try it: {told}" for future in futures for told in future.result().false_lines
    ]
    return Caught(faulty, failed, tuple(problems))
