"""Search the learners' files for answers before they are written.

An answer in them is an error, not a warning.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.curriculum.model import Course
from grader.curriculum.source import definitions
from grader.curriculum.syntax import parse_python

SHORTEST = 12  # characters of a line that gives something away; `return out` is nobody's secret


def find_leaks(course: Course, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield lines of a solution or a hidden suite that appear in the learners' files, and stubs
    that are already written.

    In a docstring or a text file, a single line like that may be an example; two consecutive ones
    are reported.
    """
    secret = _secrets(course)
    for name, content in files.items():
        lines = content.decode("utf-8", "replace").splitlines()
        known = [secret.get(_normal(line.strip().lstrip("#>. "))) for line in lines]
        texts = _docstring_lines(content) if name.endswith(".py") else set(range(len(lines)))
        for index, where in enumerate(known):
            beside = {*known[max(0, index - 1) : index], *known[index + 1 : index + 2]} - {None}
            if where and (index not in texts or beside):
                yield f"{name}, line {index + 1}: {lines[index].strip()[:80]!r} is in {where}"
        yield from (
            f"{name}: {function} is not a stub"
            for function, node in (
                definitions(parse_python(content)) if name.endswith(".py") else ()
            )
            if function in course.names(name) and not isinstance(node.body[-1], ast.Raise)
        )


def find_bodies(course: Course, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the functions of the solution whose whole body occurs somewhere in these files."""
    texts = {name: _squeezed(content.decode("utf-8", "ignore")) for name, content in files.items()}
    for file in course.files:
        given = _squeezed((course.exercises / file).read_text(encoding="utf-8"))
        for function, lines in _bodies(course.solutions / file):
            body = "".join(map(_normal, lines))
            if len(body) >= SHORTEST and body not in given:
                yield from (
                    f"{name}: the body of {function} in {file}"
                    for name, text in texts.items()
                    if body in text
                )


def _squeezed(text: str) -> str:
    return "".join(map(_normal, text.splitlines()))


def _docstring_lines(source: bytes) -> set[int]:
    """Return the indices of all lines in docstrings."""
    nodes = [
        node
        for node in ast.walk(parse_python(source))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
    ]
    first = [node.body[0] for node in nodes if ast.get_docstring(node) is not None]
    return {line for each in first for line in range(each.lineno - 1, each.end_lineno or 0)}


def _secrets(course: Course) -> dict[str, str]:
    """Return the lines of code that learners must find themselves, with the file of each. Lines
    that the exercises contain do not count.
    """
    given = {
        _normal(line)
        for file in course.files
        for _, lines in _bodies(course.exercises / file)
        for line in lines
    }
    return {
        _normal(line): f"{file.parent.name}/{file.name}"
        for stage in course.stages
        for file in (*stage.suites, course.solutions / stage.file)
        for _, lines in _bodies(file)
        for line in lines
        if len(_normal(line)) >= SHORTEST and _normal(line) not in given
    }


def _bodies(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield every function with the lines inside it, without docstrings."""
    source = file.read_text(encoding="utf-8")
    lines = source.splitlines()
    for name, node in definitions(parse_python(source)):
        parts = node.body[1:] if ast.get_docstring(node) is not None else node.body
        yield name, [line for part in parts for line in lines[part.lineno - 1 : part.end_lineno]]


def _normal(line: str) -> str:
    return "".join(line.partition("#")[0].split())
