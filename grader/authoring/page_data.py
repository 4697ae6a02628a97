"""Collect what the page of a course shows before Python has started: stages, stubs and lessons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from grader.curriculum.model import Course, Stage
from grader.curriculum.source import definitions
from grader.curriculum.syntax import read_python
from grader.learner.quiz.answering import shows_graph
from grader.learner.quiz.questions import load_quiz
from grader.model import Visibility

_NOT_HERE = "In a terminal, "  # begins a paragraph that the page replaces with its own


def page_data(course: Course) -> dict[str, Any]:
    """Return the course as the page knows it."""
    texts = {name: (course.exercises / name).read_text(encoding="utf-8") for name in course.files}
    found = {name: dict(_lessons(course, name)) for name in course.files}
    questions = load_quiz(course).questions
    asked = {
        stage.id: [shows_graph(one) for one in questions if one.phase == stage.id]
        for stage in course.stages
    }
    return {
        "title": course.title,
        "finish": course.is_default,
        "files": texts,
        "stages": [
            {
                "id": stage.id,
                "title": stage.title,
                "summary": stage.summary,
                "file": stage.file,
                "minutes": stage.minutes,
                "extra": stage.optional,
                "see": stage.see,
                "shows": stage.show.is_file(),
                "asks": "predict" if any(asked[stage.id]) else "quiz" if asked[stage.id] else "",
                "checkpoints": [
                    {"id": one.id, "title": stage.titles[one.id], "methods": one.methods}
                    for one in stage.checkpoints
                    if one.visibility is Visibility.VISIBLE
                ],
                "lessons": [
                    {"name": name, **found[stage.file][name]}
                    for name in _names(course, stage)
                    if name in found[stage.file]
                ],
            }
            for stage in course.stages
        ],
    }


def _names(course: Course, stage: Stage) -> list[str]:
    """Return the parts of a stage to teach: its file and classes if new, then functions."""
    known = {
        name
        for other in course.before(stage)
        if other.file == stage.file
        for name in _around(other)
    }
    names = [name for name in _around(stage) if name not in known]
    return [*names, *(name for name in course.functions(stage) if name not in names)]


def _around(stage: Stage) -> list[str]:
    """Return the names of a stage's file (empty) and of the classes that it asks for."""
    return list(dict.fromkeys(["", *(name.partition(".")[0] for name in stage.asked)]))


def _lessons(course: Course, file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the docstrings of a stub file by name, each split into its first line and the rest."""
    text, tree = read_python(course.exercises / file)
    lines = text.splitlines(keepends=True)
    classes: list[tuple[str, ast.ClassDef | ast.FunctionDef]] = [
        (node.name, node) for node in tree.body if isinstance(node, ast.ClassDef)
    ]
    parts = (ast.get_docstring(tree) or "").split("\n\n")
    whole = "\n\n".join(part for part in parts if not part.startswith(_NOT_HERE))
    yield "", {"head": "", "text": whole, "after": ""}
    for name, node in (*classes, *definitions(tree)):
        after = (
            ""
            if isinstance(node, ast.ClassDef)
            else _comments("".join(lines[node.end_lineno or 0 :]))
        )
        yield (
            name,
            {
                "head": lines[node.lineno - 1].strip().rstrip(":"),
                "text": ast.get_docstring(node) or "",
                "after": after,
            },
        )


def _comments(text: str) -> str:
    """Return the comments at the beginning of a text, without their signs."""
    found = re.match(r"( *#(?! ---).*\n|[ \t]*\n)*", text)
    return re.sub(r"(?m)^ *# ?", "", found[0]).strip() if found else ""
