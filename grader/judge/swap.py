"""Replace the learner's functions with the reference's in some phases, on the learner's classes.

This parses only the kit's own files. The worker receives source text and does the rest itself.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from grader.curriculum.model import Course, Stage
from grader.curriculum.syntax import parse_python
from grader.intake.submission import File, Submission
from grader.worker.protocol import Patch


def swap_in(
    submission: Submission,
    course: Course,
    graded: Stage,
    stages: Collection[Stage],
    kept: AbstractSet[str],
) -> tuple[Submission, list[Patch]]:
    """Return the submission with these stages replaced: whole files, and patches for shared ones.

    Only files that the `graded` stage uses change, and in its own file none of the functions that
    are `kept`. A file that was not handed in starts out as the exercise.
    """
    files = {file.module: file for file in submission.files}
    modules, patches = course.modules_until(graded), []
    for name in course.files:
        module = Path(name).stem
        own = [stage for stage in course.stages if stage.file == name]
        swapped = [stage for stage in own if stage in stages]
        if not swapped or module not in modules:
            continue
        if not submission.is_notebook:  # a notebook's cells are every module at once
            if len(swapped) == len(own):
                files[module] = _file(course.solutions / name)
                continue
            files.setdefault(module, _file(course.exercises / name))
        functions = frozenset(function for stage in swapped for function in course.functions(stage))
        if module == graded.module:
            functions -= kept
        patches.append(
            Patch(module, extract((course.solutions / name).read_text(encoding="utf-8"), functions))
        )
    return replace(submission, files=tuple(files.values())), patches


@lru_cache(maxsize=32)
def extract(source: str, functions: frozenset[str]) -> str:
    """Reduce a source to these functions, and to anything outside functions and classes, such as
    imports.
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
        elif not isinstance(node, ast.FunctionDef) or node.name in functions:
            body.append(node)
    return ast.unparse(ast.Module(body, []))


def _file(path: Path) -> File:
    return File(path.stem, f"the kit's {path.name}", path.read_bytes())
