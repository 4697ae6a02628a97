"""Which file of a foreign engine is meant, and a worker to try it in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader import packages as installed
from grader.adapter import Adapter, template
from grader.adapting import Engine, Finder, module_of
from grader.courses import Course
from grader.errors import UsageError
from grader.foreign import python_files, read_foreign
from grader.grading import Workers
from grader.session import Session

_MAX_TRIED = 12
_NO_ENGINE = ("test", "setup", "conftest", "__init__", "__main__")


def find_engine(course: Course, path: Path, root: Path, packages: Sequence[str] = ()) -> Engine:
    """The engine in a file, or in the first file of a folder that has one. Raises UsageError with what is missing."""
    if course.graph is None:
        raise UsageError("this course has no [graph]", "an adapter needs the names that the course has for a node")
    if missing := installed.absent(packages):
        raise UsageError(installed.advice(missing, ""), "install it beside the kit, or leave --package out")
    errors: list[UsageError] = []
    for candidate in _candidates(course, path, root):
        try:
            return _found(course, root, candidate, packages)
        except UsageError as error:  # noqa: PERF203 - a worker for each, beside which this is nothing
            errors.append(error)
    if not errors:
        raise UsageError(f"there is no Python file in {str(path)!r}", "name the file with the engine")
    if len(errors) == 1:
        raise errors[0]
    raise UsageError("; ".join(error.message for error in errors[:3]), errors[0].hint)


def _candidates(course: Course, path: Path, root: Path) -> list[str]:
    """The file itself, or those of the folder: the most likely names first."""
    if path.is_file():
        return [path.resolve().relative_to(root.resolve()).as_posix()]
    inside = path.resolve().relative_to(root.resolve()).as_posix()
    files = [file for file in python_files(root) if inside == "." or file.startswith(f"{inside}/")]
    likely = (Path(course.files[0]).stem, "engine", "engen", "autograd", "value", "tensor", "node", "core")
    ranked = [file for file in files if not Path(file).stem.startswith(_NO_ENGINE)]
    return sorted(ranked, key=lambda file: (next((n for n, word in enumerate(likely) if word in Path(file).stem.lower()), 99), file))[:_MAX_TRIED]


def _found(course: Course, root: Path, candidate: str, packages: Sequence[str]) -> Engine:
    assert course.graph is not None
    file = next(stage.file for stage in course.stages if stage.module == course.graph.make.rpartition(".")[0])
    node = course.graph.make.rpartition(".")[2]
    draft = Adapter("", {file: candidate}, node, template(f"{node}({{}})", ""), template("{}.f()", ""))
    submission = read_foreign(root, draft)
    located = installed.locate(packages)
    names = [name.partition(".")[2] for stage in course.stages for c in stage.checkpoints if stage.file == file for name in c.methods]
    form = {name.rpartition(".")[2] for name in course.graph.form}
    methods = [name for name in dict.fromkeys(names) if name and not name.startswith("__") and name not in {*form, course.graph.backward}]
    with Workers(1) as workers:
        session = Session(partial(workers.connect, installed.readable(located)), submission, module_of(candidate), [], packages=located)
        try:
            engine = Finder(session, file, candidate, methods, course.graph.backward).find()
        finally:
            session.close()
    return replace(engine, adapter=replace(engine.adapter, packages=tuple(packages)))
