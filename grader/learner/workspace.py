"""Set up a learner's folder with the exercises and a README."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.intake.functions import hash_of_functions
from grader.intake.read import read_submission
from grader.learner.editing import functions_in, replace_functions, with_docstring
from grader.learner.files import refuse_existing, write_files
from grader.learner.progress import save_finished

README = "README.md"


def write_course(course: Course, folder: Path, finished: tuple[Stage, ...] = ()) -> list[Path]:
    """Write the exercises and a README into a folder, with some phases solved. Return the files.

    The folder may exist. Raise UsageError, before anything is written, if one of the files does.
    """
    files = {folder / file: _content(course, file, finished) for file in course.files}
    files[folder / README] = readme(course).encode()
    refuse_existing(files, "name a different folder: grade init FOLDER")
    write_files(files)
    if finished:
        submission = read_submission(folder, course.files)
        code = {stage.id: hash_of_functions(submission, course, stage) for stage in finished}
        save_finished(folder, finished, code)
    return [*files]


def _content(course: Course, file: str, finished: tuple[Stage, ...]) -> bytes:
    source = (course.exercises / file).read_bytes()
    wanted = [name for stage in finished if stage.file == file for name in course.functions(stage)]
    if not wanted:
        return source
    finished_file = (course.solutions / file).read_bytes()
    stubs, solution = functions_in(source, file), functions_in(finished_file, file)
    written = {
        name: with_docstring(stubs[name], solution[name]) for name in wanted if name in solution
    }
    return _with_imports(replace_functions(source, written, file), finished_file)


def _with_imports(source: bytes, other: bytes) -> bytes:
    """Return the source with missing imports from the other source added below its docstring."""
    lines, tree = source.splitlines(keepends=True), parse_python(source)
    wanted = [
        ast.unparse(node).encode() + b"\n"
        for node in parse_python(other).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    missing = [line for line in wanted if line not in lines]
    end = tree.body[0].end_lineno or 0 if ast.get_docstring(tree) is not None else 0
    return b"".join([*lines[:end], b"\n" * bool(missing), *missing, *lines[end:]])


def readme(course: Course, *, install: str = "") -> str:
    """Return the README of a learner's folder: the commands, and a table of the phases.

    `install` says how to install the kit, if it comes with the course.
    """
    first, extras_last = course.stages[0], sorted(course.stages, key=attrgetter("optional"))
    parts = [f"# {course.title}", *([install, "## Begin"] if install else [])]
    parts.append(
        f"Open `{first.file}`, write what the first stub asks for, and run `grade`. It shows"
        " where you stand and which line to work on next."
    )
    if not (install or course.is_default):
        parts.append(
            "Tell `grade` where the course is: set the environment variable `GRADE_COURSE` to its"
            " folder, or add `--course FOLDER` to each command."
        )
    parts += [
        _commands(course),
        "## The phases",
        _phases(extras_last),
        (
            "Your progress is kept in `.grade`, next to your files. If you delete it, you lose that"
            " record but no code.\n"
        ),
    ]
    return "\n\n".join(parts)


def _commands(course: Course) -> str:
    return f"""\
    grade           see where you stand and what comes next
    grade {course.stages[0].id:10}see which checkpoints of a phase pass, and why the rest fail
    grade watch     grade again whenever you save
    grade hint      get the next hint

`grade --help` lists every command."""


def _phases(stages: Sequence[Stage]) -> str:
    rows = [
        f"| `grade {stage.id}` | {stage.title} | {stage.file} | {stage.minutes} min |"
        for stage in stages
    ]
    return "\n".join(["| command | topic | file | time |", "|---|---|---|---|", *rows])
