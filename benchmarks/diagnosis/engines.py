"""Load the engines for measuring the diagnosis: correct ones in several styles, and mistakes.

A mistake is a small change to a correct engine. `../styles/NAME.py` is a correct engine for phases
1 to 6; `../mistakes/NAME.toml` holds the mistakes made in it. `../README.md` explains each key.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BENCHMARKS = Path(__file__).parents[1]


class Mistake(NamedTuple):
    """A faulty engine, and what a diagnosis should say about it."""

    id: str
    style: str
    source: str
    fault: str
    blame: list[str]
    known: list[str]


def styles() -> dict[str, str]:
    """Return the sources of the correct engines by name."""
    return {
        file.stem: file.read_text(encoding="utf-8")
        for file in sorted((BENCHMARKS / "styles").glob("*.py"))
    }


def mistakes() -> dict[str, Mistake]:
    """Return the faulty engines by id, in the order of their ids."""
    found = {}
    for style, source in styles().items():
        entries = tomllib.loads(
            (BENCHMARKS / "mistakes" / f"{style}.toml").read_text(encoding="utf-8")
        )
        for name, entry in entries.items():
            found[name] = Mistake(
                name,
                style,
                mistaken(name, source, entry),
                entry["fault"],
                entry["blame"],
                entry.get("known", []),
            )
    return dict(sorted(found.items()))


def mistaken(name: str, source: str, entry: dict[str, Any]) -> str:
    """Return the source with the changes of one mistake.

    Raise ValueError for a text that does not occur exactly once.
    """
    for part, changes in {**entry.get("in", {}), "": entry.get("anywhere", [])}.items():
        for old, new in [changes] if changes and isinstance(changes[0], str) else changes:
            begin, end = extent(source, part) if part else (0, len(source))
            if source.count(old, begin, end) != 1:
                raise ValueError(
                    f"{name}: {old!r} is {source.count(old, begin, end)} times in"
                    f" {part or 'the file'}, and must be there once"
                )
            source = source[:begin] + source[begin:end].replace(old, new) + source[end:]
    return source


def extent(source: str, part: str) -> tuple[int, int]:
    """Return where a method of Value, or a function, class or table, begins and ends."""
    module = ast.parse(source).body
    methods = next(
        node for node in module if isinstance(node, ast.ClassDef) and node.name == "Value"
    ).body
    (node,) = (
        node
        for node in (*module, *methods)
        if part == getattr(node, "name", "")
        or part in map(ast.unparse, getattr(node, "targets", []))
    )
    lines = source.splitlines(keepends=True)
    return len("".join(lines[: node.lineno - 1])), len("".join(lines[: node.end_lineno]))


@contextmanager
def handed_in(source: str) -> Iterator[Path]:
    """Yield a folder with the engine in it, as a learner hands it in."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "engine.py").write_text(source, encoding="utf-8")
        yield Path(folder)
