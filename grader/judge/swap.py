"""Phases swapped in: the reference's functions in place of the learner's, on the learner's own
classes.

Works on our own files only. What the worker gets is source text; it does the rest, inside of
itself.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.intake.submission import File, Submission
from grader.judge.session import Patch

Function = (ast.FunctionDef, ast.ClassDef)


def swap_in(
    submission: Submission, course: Course, stages: Collection[Stage], modules: Collection[str]
) -> tuple[Submission, list[Patch]]:
    """The submission with what these stages ask for, in some modules: files that are swapped as a
    whole, and patches for the others.

    A file that was not handed in begins as the exercise.
    """
    files = {file.module: file for file in submission.files}
    patches = []
    for name in course.files:
        module = Path(name).stem
        own = [stage for stage in course.stages if stage.file == name]
        swapped = [stage for stage in own if stage in stages]
        if not swapped or module not in modules:
            continue
        if not submission.is_notebook:  # whose cells are every module
            if len(swapped) == len(own):
                files[module] = _file(course.solutions / name)
                continue
            files.setdefault(module, _file(course.exercises / name))
        functions = frozenset(function for stage in swapped for function in course.functions(stage))
        patches.append(
            Patch(module, extract((course.solutions / name).read_text(encoding="utf-8"), functions))
        )
    return replace(submission, files=tuple(files.values())), patches


@lru_cache(maxsize=32)
def extract(source: str, functions: frozenset[str]) -> str:
    """A source reduced to these functions and methods, and to what stands around them: imports and
    constants.
    """
    tree = parse_python(source)
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods = [
                part
                for part in node.body
                if f"{node.name}.{getattr(part, 'name', '')}" in functions
            ]
            if methods:
                node.body = methods
                body.append(node)
        elif not isinstance(node, Function) or node.name in functions:
            body.append(node)
    return ast.unparse(ast.Module(body, []))


def _file(path: Path) -> File:
    return File(path.stem, f"the kit's {path.name}", path.read_bytes())
