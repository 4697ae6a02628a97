"""Find and replace functions in source code, leaving everything around them unchanged, byte for
byte.

The judge uses this only for the kit's own files. A learner's file is parsed only in that learner's
commands.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from textwrap import indent

from grader.curriculum.syntax import parse_python


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every function and method with its qualified name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            yield from ((f"{node.name}.{item.name}", item) for item in methods)


def functions_in(source: bytes) -> dict[str, bytes]:
    """Return the lines of every function by its qualified name. Raise whatever `compile` raises."""
    lines = source.splitlines(keepends=True)
    return {
        name: b"".join(lines[start:end])
        for name, (start, end) in _spans(parse_python(source)).items()
    }


def replace_functions(source: bytes, texts: Mapping[str, bytes]) -> bytes:
    """Return the source with these functions replacing the old ones, with its indentation and line
    ends. Add a missing function at the end of its class or of the file, and delete one that has no
    text.

    Raise LookupError if a class, or a function to delete, does not exist; otherwise like
    `functions_in`.
    """
    tree, newline = parse_python(source), b"\r\n" if b"\r\n" in source else b"\n"
    spans, classes = _spans(tree), _classes(tree)
    lines = source.splitlines(keepends=True)
    if lines and not lines[-1].endswith((b"\n", b"\r")):
        lines[-1] += newline
    edits: list[tuple[int, int, bytes]] = []
    for name, text in texts.items():
        owner = name.rpartition(".")[0]
        if name in spans:
            start, end = spans[name]
            fits = fitted(text, _indentation(lines[start]), newline) if text else b""
            edits.append((start, end, fits))
        elif not text:
            raise LookupError(f"there is no {name!r} to delete")
        elif not owner:
            edits.append((len(lines), len(lines), 2 * newline + fitted(text, b"", newline)))
        elif owner in classes:
            end, last = classes[owner]
            edits.append((end, end, newline + fitted(text, _indentation(lines[last]), newline)))
        else:
            raise LookupError(f"there is no class {owner!r}")
    for start, end, text in sorted(edits, key=lambda edit: edit[0], reverse=True):
        lines[start:end] = [text]
    return b"".join(lines)


def replace_once(text: str, old: str, new: str) -> str:
    """Return a text with `new` in place of `old`. Both lack the indentation of the place.

    Raise LookupError unless `old` occurs exactly once.
    """
    places, first = [], old.partition("\n")[0]
    for found in re.finditer(re.escape(first), text):
        line = text[text.rfind("\n", 0, found.start()) + 1 :]
        space = line[: len(line) - len(line.lstrip(" "))]
        there = indent(old, space).removeprefix(space)
        if text.startswith(there, found.start()):
            places.append((found.start(), found.start() + len(there), space))
    if len(places) != 1:
        raise LookupError(f"'old' occurs {len(places)} times instead of once: {first}")
    start, end, space = places[0]
    return text[:start] + indent(new, space).removeprefix(space) + text[end:]


def fitted(text: bytes, indentation: bytes = b"", newline: bytes = b"\n") -> bytes:
    """Return a function's lines with different indentation and line ends."""
    lines = text.splitlines()
    old = _indentation(lines[0])
    kept = [
        line.removeprefix(old) if line.startswith(old) else line.lstrip(b" \t") for line in lines
    ]
    return b"".join((indentation + line if line else b"") + newline for line in kept)


def _spans(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """Return where each function's lines begin and end. The last definition of a name counts."""
    return {
        name: (
            min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1,
            node.end_lineno or node.lineno,
        )
        for name, node in definitions(tree)
    }


def _classes(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """Return, for each class, the index after its last line and the index of its last statement."""
    found = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {node.name: (node.end_lineno or node.lineno, node.body[-1].lineno - 1) for node in found}


def _indentation(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip(b" \t"))]
