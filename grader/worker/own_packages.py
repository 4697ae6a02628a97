"""Find the package names that a submission uses to import its own files.

`from micrograd.engine import Value` means the submitted engine.py, whatever its folder is called.
But `import torch.nn` does not mean the learner's nn.py: a name counts only if every file imports
from it nothing but what the files handed in define.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

EVERYTHING = "*"


def own_packages(sources: Mapping[str, tuple[str, bytes]]) -> set[str]:
    """Return these names: `a` and `a.b` for an `a.b.engine` that is the learner's engine.py."""
    trees = {module: _nodes(source) for module, (_filename, source) in sources.items()}
    defined = {module: _defined(nodes) for module, nodes in trees.items()}
    fits: dict[str, bool] = {}
    for module, nodes in trees.items():
        for package, file, wanted in _imports(nodes, sources):
            if wanted:
                known = defined[file] | {EVERYTHING}
                is_own = file != module and (wanted <= known or EVERYTHING in defined[file])
                fits[package] = fits.get(package, True) and is_own
    return {
        package[:end]
        for package, is_own in fits.items()
        if is_own
        for end in range(1, len(package) + 1)
        if package[end : end + 1] in {"", "."}
    }


def _nodes(source: bytes) -> list[Any]:
    from ast import parse, walk  # imported here because that takes as long as the worker's start

    try:
        return list(walk(parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _defined(nodes: list[Any]) -> set[str]:
    """Return all names that a file gives to anything, at whatever level."""
    found = set()
    for node in nodes:
        kind = _kind_of(node)
        if kind in {"FunctionDef", "AsyncFunctionDef", "ClassDef"}:
            found.add(node.name)
        elif kind == "Name" and _kind_of(node.ctx) == "Store":
            found.add(node.id)
        elif kind in {"Import", "ImportFrom"}:
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return found


def _imports(
    nodes: list[Any], sources: Mapping[str, object]
) -> Iterator[tuple[str, str, set[str]]]:
    """Yield the package, the file in it, and the names used from it, for each import that might
    mean a submitted file.
    """
    paths = {path for node in nodes if (path := _path(node))}
    for node in nodes:
        kind = _kind_of(node)
        if kind == "Import":
            for alias in node.names:
                for package, file in _splits(alias.name, sources):
                    yield package, file, _used(paths, alias.asname or alias.name)
        elif kind == "ImportFrom" and not node.level:
            names = {alias.name for alias in node.names}
            for package, file in _splits(node.module, sources):
                yield package, file, names
            for alias in node.names:
                if alias.name in sources:
                    used = _used(paths, alias.asname or alias.name)
                    yield node.module, alias.name, used


def _splits(path: str, sources: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the ways to read the end of a path as a submitted file."""
    for place, sign in enumerate(path):
        if sign == "." and path[place + 1 :] in sources:
            yield path[:place], path[place + 1 :]


def _path(node: Any) -> str:
    """Return `a.b.c` for an expression of names and dots, an empty string for any other."""
    words = []
    while _kind_of(node) == "Attribute":
        words.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(words)]) if _kind_of(node) == "Name" and words else ""


def _used(paths: set[str], name: str) -> set[str]:
    start = f"{name}."
    return {path[len(start) :].partition(".")[0] for path in paths if path.startswith(start)}


def _kind_of(node: object) -> str:
    return type(node).__name__
