"""Check the files of a course: what is missing, stray or inconsistent. Nothing is graded."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grader.authoring.faulty_engine import faulty_files
from grader.curriculum.model import COURSE, MISTAKES, SHOW, STAGE, SUITE, Course, Stage
from grader.curriculum.private import suite_problems
from grader.curriculum.source import definitions
from grader.curriculum.syntax import read_python
from grader.errors import CourseError
from grader.learner.quiz.questions import QUESTIONS, SYMPTOMS, load_quiz

TABLE = "what-the-suites-catch.md"
LONGEST_TITLE = 60  # characters without backticks: a report shows a title on one line


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
        yield from _with_errors(_check_stage(stage))
        yield from _check_stage_hints(stage, course.functions(stage))
        yield from _with_errors(_check_faulty(course, stage))
    for item in sorted({*course.own_word} & {*course.checklist}):
        yield f"code proves the checklist item {item!r}, so remove it from own_word"
    yield from _with_errors(_check_quiz(course))


def _with_errors(problems: Iterator[str]) -> Iterator[str]:
    """Yield the problems; a CourseError is the last one."""
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
            if entry.name not in {STAGE, SHOW, SUITE, MISTAKES, "__init__.py"}:
                yield f"unexpected file: {entry}"
    mine = [checkpoint for checkpoint in stage.checkpoints if not checkpoint.private]
    problems = [f"{problem}; {hint}" for problem, hint in suite_problems(stage.suite, mine)]
    yield from problems or _check_titles(stage)


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


def _check_faulty(course: Course, stage: Stage) -> Iterator[str]:
    ids = {checkpoint.id for checkpoint in course.checkpoints}
    for faulty in (*stage.faulty, *stage.private_faulty):
        if unknown := [id for id in faulty.caught_by if id not in ids]:
            mine = ", ".join(checkpoint.id for checkpoint in stage.checkpoints)
            yield (
                f"{faulty.where}: 'caught_by' names {unknown[0]!r}, which is not a checkpoint; the"
                f" checkpoints of this stage are {mine}"
            )
        if (course.solutions / stage.file).is_file():
            try:
                faulty_files(course, stage, faulty)
            except CourseError as error:
                yield f"{error.message}; {error.hint}"


def _entries(folder: Path) -> Iterable[Path]:
    """Return the contents of a folder, except for files that tools leave there."""
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
            yield from _with_errors(_check_file(course, file))


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
        names = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (name.id for name in names if isinstance(name, ast.Name))
