"""One source with some of its functions replaced by another's: how a faulty engine is made from the
solution.

Works on our own files only. A submission is never parsed by the judge.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from textwrap import dedent, indent
from typing import Union

from grader.curriculum.syntax import parse_python
from grader.errors import CourseError

Definition = Union[ast.FunctionDef, ast.ClassDef]


def splice(source: str, replacement: str, deletes: Sequence[str] = ()) -> str:
    """`source` with every function that `replacement` defines put in place of the one of that name,
    or added.

    Names are qualified: a method replaces the method of the same class. `deletes` are names to take
    out. Raises
    CourseError for one that is not there.
    """
    lines = source.splitlines(keepends=True)
    old = dict(definitions(parse_python(source)))
    new = dict(definitions(parse_python(replacement)))
    edits: list[tuple[int, int, str]] = []
    for name in deletes:
        if name not in old:
            raise CourseError(f"nothing called {name!r} to delete")
        edits.append((*_span(old[name]), ""))
    for name, node in new.items():
        owner = name.rpartition(".")[0]
        start, end = _span(node)
        text = dedent("".join(replacement.splitlines(keepends=True)[start:end])).rstrip("\n") + "\n"
        text = indent(text, "    " * name.count("."))
        if name in old:
            edits.append((*_span(old[name]), text))
        else:
            place = _end_of(source, owner) if owner else len(lines)
            edits.append((place, place, "\n" + text))
    for start, end, text in sorted(edits, key=lambda edit: edit[0], reverse=True):
        lines[start:end] = [text]
    return "".join(lines)


def definitions(tree: ast.Module) -> Iterator[tuple[str, Definition]]:
    """Every function and method with its qualified name; a class that is in both sources is not
    replaced as a whole.
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            for item in methods:
                yield f"{node.name}.{item.name}", item


def _end_of(source: str, class_name: str) -> int:
    for node in parse_python(source).body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return _span(node)[1]
    raise CourseError(f"no class called {class_name!r}")


def _span(node: Definition) -> tuple[int, int]:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    assert node.end_lineno is not None
    return first - 1, node.end_lineno
