"""Write the learner's files as a library that pip can install. None of their code runs."""

from __future__ import annotations

import ast
import keyword
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.curriculum.tables import quoted
from grader.errors import SubmissionError, UsageError
from grader.intake.submission import File, Submission

VERSION = "0.1.0"


class About(NamedTuple):
    """The library's name and its author."""

    name: str
    author: str = ""


def check_name(name: str) -> None:
    """Raise UsageError unless the name can be imported and Python does not use it."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise UsageError(
            f"{name!r} cannot be the name of a library",
            "use lowercase letters, digits and _, as in my_engine",
        )
    if name in sys.stdlib_module_names:
        raise UsageError(
            f"{name!r} is one of Python's own modules", "use a different name, such as my_engine"
        )


def write_library(
    course: Course, submission: Submission, stages: Sequence[Stage], about: About, folder: Path
) -> Path:
    """Write the files of these stages and the helper files as a package.

    Return the library's folder. Raise SubmissionError for a notebook, UsageError for a name that
    cannot be imported, OSError if nothing can be written.
    """
    name, author = about
    check_name(name)
    if submission.is_notebook:
        raise SubmissionError(
            "a notebook cannot become a library", "copy its cells into files first"
        )
    kept = {stage.module for stage in stages}
    files = [file for file in submission.files if file.role == "helper" or file.module in kept]
    own = {file.module for file in files}
    library = folder / name
    for file in files:
        where = (library / name).joinpath(*file.module.split(".")).with_suffix(".py")
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(relative(file, own))
    (library / name / "__init__.py").write_text(_init(course, stages, own), encoding="utf-8")
    (library / "README.md").write_text(_readme(course, name, author), encoding="utf-8")
    (library / "pyproject.toml").write_text(_project(course, name, author), encoding="utf-8")
    return library


def relative(file: File, own: Collection[str]) -> bytes:
    """Return a module's source with relative imports from its library (`from .engine ...`)."""
    lines = file.source.splitlines(keepends=True)
    above = "." * (1 + file.module.count("."))
    for node in ast.walk(parse_python(file.source)):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in own:
            line = lines[node.lineno - 1]
            head, tail = line[: node.col_offset], line[node.col_offset :]
            lines[node.lineno - 1] = head + re.sub(
                rb"^from(\s+)", b"from\\1" + above.encode(), tail, count=1
            )
        elif isinstance(node, ast.Import) and any(alias.name in own for alias in node.names):
            line = lines[node.lineno - 1]
            parts = [_imported(alias, own, above) for alias in node.names]
            ends = (node.end_lineno or node.lineno) - 1
            last = lines[ends][node.end_col_offset :]
            lines[node.lineno - 1 : ends + 1] = [
                line[: node.col_offset] + "; ".join(parts).encode() + last,
                *[b""] * (ends - node.lineno + 1),
            ]
    return b"".join(lines)


def _imported(alias: ast.alias, own: Collection[str], above: str) -> str:
    renamed = f" as {alias.asname}" if alias.asname else ""
    origin = f"from {above} " if alias.name in own else ""
    return f"{origin}import {alias.name}{renamed}"


def _init(course: Course, stages: Sequence[Stage], own: Collection[str]) -> str:
    names: dict[str, list[str]] = {}
    for stage in stages:
        if stage.module in own and not stage.optional:
            names.setdefault(stage.module, []).extend(
                name.partition(".")[0] for name in course.functions(stage)
            )
    lines = [f'"""{course.title}: a library of my own."""', ""]
    lines += [
        f"from .{module} import {', '.join(dict.fromkeys(found))}"
        for module, found in names.items()
    ]
    exported = dict.fromkeys(name for found in names.values() for name in found)
    return "\n".join(
        [*lines, "", f"__all__ = {list(exported)!r}", f'__version__ = "{VERSION}"', ""]
    )


def _readme(course: Course, name: str, author: str) -> str:
    first = next(iter(course.functions(course.stages[0])), "").partition(".")[0]
    return (
        f"# {name}\n\nWritten from scratch{f' by {author}' if author else ''}, in the course"
        f" *{course.title}*.\n\n    from {name} import {first}\n"
    )


def _project(course: Course, name: str, author: str) -> str:
    lines = [
        "[build-system]",
        'requires = ["flit_core>=3.9"]',
        'build-backend = "flit_core.buildapi"',
        "",
        "[project]",
        f"name = {quoted(name)}",
        f'version = "{VERSION}"',
        f"description = {quoted(' '.join(f'{course.title}: a library of my own'.split()))}",
        'readme = "README.md"',
        'requires-python = ">=3.10"',
    ]
    if author:
        lines.append(f"authors = [{{name = {quoted(' '.join(author.split()))}}}]")
    return "\n".join([*lines, ""])
