"""Read faulty engines: wrong variants of a solution, and the checkpoints that must catch them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.curriculum.syntax import read_python
from grader.curriculum.tables import brief
from grader.errors import CourseError


@dataclass(frozen=True)
class Faulty:
    """A named wrong variant of the solution.

    `caught_by` lists checkpoints that must fail, beginning with the first one to fail. `tutor` is
    what a kind tutor would say.
    """

    id: str
    file: Path
    title: str
    tutor: str
    caught_by: tuple[str, ...]
    deletes: tuple[str, ...]
    source: str


def read_faulty(stage: str, file: Path) -> Faulty:
    """Return one faulty engine. Raise CourseError if its file cannot be read or lacks something."""
    source, tree = read_python(file)
    title, _, tutor = (ast.get_docstring(tree) or "").partition("\n\n")
    if not title or not tutor.strip():
        raise CourseError(
            f"{file} has no docstring with a title, an empty line and what a kind tutor would say",
            "the title names the mistake; the rest says what the learner may have been thinking",
        )
    caught_by, deletes = _names(tree, "CAUGHT_BY", file), _names(tree, "DELETES", file)
    if not caught_by:
        raise CourseError(
            f"{file} has no CAUGHT_BY, or an empty one",
            f'name the checkpoint that must fail first: CAUGHT_BY = ("{stage}.its-id",)',
        )
    return Faulty(
        f"{stage}.{file.stem.replace('_', '-')}",
        file,
        title,
        " ".join(tutor.split()),
        caught_by,
        deletes,
        source,
    )


def _names(tree: ast.Module, constant: str, file: Path) -> tuple[str, ...]:
    """Return the strings in a constant of the file, or nothing if it has no such constant. Raise
    CourseError if the constant is anything but a tuple or list of strings.
    """
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == constant
        ):
            try:
                found: Any = ast.literal_eval(node.value)
            except ValueError:
                found = ast.unparse(node.value)
            if not isinstance(found, (tuple, list)) or not all(
                isinstance(name, str) for name in found
            ):
                raise CourseError(
                    f"{file}: {constant} is {brief(found)}; it must be a tuple of strings",
                    f'write {constant} = ("...",), with the comma',
                )
            return tuple(found)
    return ()
