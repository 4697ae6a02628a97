"""Write the learner's files as a library that pip can install. None of their code runs."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from grader.curriculum.model import Course, Stage
from grader.curriculum.tables import as_toml
from grader.errors import SubmissionError, UsageError
from grader.intake.submission import File, Submission
from grader.learner.files import write_files

VERSION = "0.1.0"


def check_name(name: str) -> None:
    """Raise UsageError unless the name can be imported and Python does not use it."""
    taken = keyword.iskeyword(name) or name in sys.stdlib_module_names
    if taken or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(
            f"{name!r} cannot be the name of a library",
            "use lowercase letters, digits and _, and no name of Python's own, as in my_engine",
        )


def write_library(
    course: Course,
    submission: Submission,
    stages: Sequence[Stage],
    about: tuple[str, str],
    folder: Path,
) -> Path:
    """Write the files of these stages and the helper files as a package. `about` has its name and
    its author.

    Return the library's folder. Raise SubmissionError for a notebook, OSError if nothing can be
    written.
    """
    name, author = about
    if submission.is_notebook:
        raise SubmissionError(
            "a notebook cannot become a library", "copy its cells into files first"
        )
    kept = {stage.module for stage in stages}
    files = [file for file in submission.files if file.role == "helper" or file.module in kept]
    own = {file.module for file in files}
    library = folder / name
    modules = {
        library / name / f"{file.module.replace('.', '/')}.py": relative(file, own)
        for file in files
    }
    texts = {
        library / name / "__init__.py": _init(course, stages, own).encode(),
        library / "README.md": _readme(course, name, author).encode(),
        library / "pyproject.toml": _project(course, name, author).encode(),
    }
    write_files(modules | texts)
    return library


def relative(file: File, own: Collection[str]) -> bytes:
    """Return a module's source with relative imports from its library (`from .engine ...`)."""
    above = b"." * (1 + file.module.count("."))
    names = "|".join(sorted(map(re.escape, own))).encode()
    parts = rb"(?m)^([ \t]*from +)(?=(?:%b) +import\b)" % names
    whole = rb"(?m)^([ \t]*)(?=import +(?:%b)(?: +as +\w+)?\s*$)" % names
    text = re.sub(parts, rb"\g<1>" + above, file.source)
    return re.sub(whole, rb"\g<1>from " + above + b" ", text)


def _init(course: Course, stages: Sequence[Stage], own: Collection[str]) -> str:
    names = {
        name.partition(".")[0]: stage.module
        for stage in stages
        if stage.module in own and not stage.optional
        for name in course.functions(stage)
    }
    imports = [f"from .{module} import {name}" for name, module in names.items()]
    return "\n".join(
        [
            f'"""{course.title}: my own library."""',
            "",
            *imports,
            "",
            f"__all__ = {[*names]!r}",
            f'__version__ = "{VERSION}"',
            "",
        ]
    )


def _readme(course: Course, name: str, author: str) -> str:
    first = next(iter(course.functions(course.stages[0])), "").partition(".")[0]
    return (
        f"# {name}\n\nWritten from scratch{f' by {author}' if author else ''}, in the course"
        f" *{course.title}*.\n\n    from {name} import {first}\n"
    )


def _project(course: Course, name: str, author: str) -> str:
    authors = f"authors = [{{name = {as_toml(' '.join(author.split()))}}}]\n" if author else ""
    return f"""[build-system]
requires = ["flit_core>=3.9"]
build-backend = "flit_core.buildapi"

[project]
name = {as_toml(name)}
version = "{VERSION}"
description = {as_toml(" ".join(f"{course.title}: my own library".split()))}
readme = "README.md"
requires-python = ">=3.10"
{authors}"""
