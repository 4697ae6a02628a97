"""Check the files of a course: what is missing, stray or inconsistent. Nothing is graded."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
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
    kit, stages = {course.exercises.name, course.solutions.name}, [s.id for s in course.stages]
    listed = {course.vocabulary, *course.shared, *(name.split("/")[0] for name in course.styles)}
    known = {COURSE, QUESTIONS, SYMPTOMS, "README.md", TABLE, *kit, *listed, *stages}
    yield from _unexpected(
        course.folder, known, f"; if suites import it, list it under shared in {COURSE}"
    )
    if course.private is not None:
        yield from _unexpected(course.private, {"README.md", *stages})
    yield from (
        f"{COURSE} lists {name!r}, which does not exist"
        for name in (*course.shared, *course.styles)
        if not (course.folder / name).is_file()
    )
    yield from (
        f"{name}: Python has its own module of that name, so rename it"
        for name in (course.vocabulary, *course.shared, *course.files)
        if name.removesuffix(".py") in sys.stdlib_module_names
    )
    proved = {item for checkpoint in course.checkpoints for item in checkpoint.checklist}
    yield from (
        f"the checklist item {item!r} needs a text in {COURSE} and a checkpoint that proves it"
        for item in sorted(proved ^ {*course.checklist})
    )
    for stage in course.stages:
        yield from _with_errors(_check_stage(course, stage))
    yield from _with_errors(_check_quiz(course))


def _unexpected(folder: Path, known: Collection[str], hint: str = "") -> Iterator[str]:
    """Return the unexpected files in a folder, except for leftovers of tools."""
    return (
        f"unexpected file: {entry}{hint}"
        for entry in sorted(folder.iterdir())
        if entry.name not in {*known, "__pycache__"} and not entry.name.startswith(".")
    )


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


def _check_stage(course: Course, stage: Stage) -> Iterator[str]:
    for folder in filter(None, (stage.folder, stage.private)):
        yield from _unexpected(folder, {STAGE, SHOW, SUITE, MISTAKES, "__init__.py"})
    mine = [checkpoint for checkpoint in stage.checkpoints if not checkpoint.private]
    problems = [f"{problem}; {hint}" for problem, hint in suite_problems(stage.suite, mine)]
    yield from problems
    yield from (
        f"{id}: the title is longer than {LONGEST_TITLE} characters: {title}"
        for id, title in (() if problems else stage.titles.items())
        if len(title.replace("`", "")) > LONGEST_TITLE
    )
    yield from _check_hints(stage, course.functions(stage))
    for faulty in (*stage.faulty, *stage.private_faulty):
        yield from (
            f"{faulty.where}: 'caught_by' names {unknown!r}, which is not a checkpoint"
            for unknown in {*faulty.caught_by}.difference(course.ids)
        )
        if (course.solutions / stage.file).is_file():
            faulty_files(course, stage, faulty)


def _check_hints(stage: Stage, functions: Collection[str]) -> Iterator[str]:
    """Yield each function of a stage without hints, and hints about other functions."""
    file = stage.folder / STAGE
    seen = {n for each in stage.checkpoints if not each.private for n in each.methods}
    yield from (
        f'{file}: there are no hints about {name!r}; write a table [hints."{name}"]'
        for name in functions
        if name in seen and name not in stage.hints
    )
    yield from (
        f"{file}: there are hints about {name!r}, which this stage does not introduce"
        for name in stage.hints
        if name not in functions
    )


def check_mirror(course: Course) -> Iterator[str]:
    """Yield problems with `exercises` and `solutions`: both must have the same files, with the same
    functions in the same order, and every stub needs a docstring.
    """
    folders = (course.exercises, course.solutions)
    places = [folder / file for folder in folders for file in course.files]
    missing = [place for place in places if not place.is_file()]
    yield from (f"there is no {place}, although a stage names it as its file" for place in missing)
    for folder in folders:
        if folder.is_dir():
            yield from _unexpected(folder, course.files, "; no stage names it as its file")
    for file in course.files if not missing else ():
        yield from _with_errors(_check_file(course, file))


def _check_file(course: Course, file: str) -> Iterator[str]:
    trees = [read_python(folder / file)[1] for folder in (course.exercises, course.solutions)]
    stubs, finished = (dict(definitions(tree)) for tree in trees)
    if [*stubs] != [*finished]:
        others = ", ".join(sorted(stubs.keys() ^ finished.keys()))
        yield f"{file}: exercises and solutions differ in functions or in their order: {others}"
    for name, node in stubs.items():
        if name in finished and ast.unparse(node.args) != ast.unparse(finished[name].args):
            yield f"{file}: {name} has different arguments in the solution"
        if not ast.get_docstring(node):
            yield f"{file}: {name} has no docstring"
