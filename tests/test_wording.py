"""No sentence that somebody reads has a phrase from `wording.toml`, which says what to write."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PHRASES = tomllib.loads((ROOT / "tests" / "wording.toml").read_text(encoding="utf-8"))
ANY = re.compile("|".join(f"(?:{phrase['find']})" for phrase in PHRASES.values()))
CODE = {"old", "new", "code", "in", "caught_by", "program", "reveal"}  # keys of mistakes and hints
WRITTEN = [
    *("*.md", "docs/*.md", "benchmarks/*.md", "examples/**/*", "exercises/*", "solutions/*"),
    "grader/*",
    *sorted(f"grader/{each.name}/**/*" for each in (ROOT / "grader").glob("[a-z]*/")),
]


def _texts(source: str, kind: str) -> Iterator[str]:
    if kind == ".toml":
        yield from _values(tomllib.loads(source))
    elif kind == ".md":
        prose = re.sub(r"```.*?```|<!--.*?-->", "\n\n", source, flags=re.DOTALL)
        yield from re.split(r"\||\n(?=#)", re.sub(r"\]\([^)]*\)", "]", prose))
    else:
        for comment in re.findall(r"^(?: *# .*\n)+|  # .*$", source, re.MULTILINE):
            yield re.sub(r"^ *# ", "", comment, flags=re.MULTILINE)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                parts = (getattr(part, "value", "") for part in node.values)
                yield "".join(part if isinstance(part, str) else "X" for part in parts)


def _values(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, str) and key not in CODE:
        yield value
    elif isinstance(value, (dict, list)):
        inside = value.items() if isinstance(value, dict) else ((key, each) for each in value)
        for name, each in inside:
            yield from _values(each, name)


def sentences(file: Path) -> Iterator[str]:
    for text in _texts(file.read_text(encoding="utf-8"), file.suffix):
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*>]|\d+\.) )", text):
            plain = re.sub(r"``[^`]+``|`[^`]*`", "`x`", " ".join(paragraph.split()))
            for sentence in re.split(r"(?<=[.!?:])[)\"']* (?=[A-Z`*(\"])", plain.lstrip("-*#> ")):
                if sentence.count(" ") > 1:
                    yield sentence


@pytest.mark.parametrize("files", WRITTEN)
def test_sentences_are_said_as_they_would_be_spoken(files: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}: {sentence!r} ({name}: write {phrase['instead']})"
        for file in sorted(ROOT.glob(files))
        if file.suffix in {".md", ".toml", ".py"} and "styles" not in file.parts
        for sentence in sentences(file)
        if ANY.search(sentence)
        for name, phrase in PHRASES.items()
        if re.search(phrase["find"], sentence)
    ]
    assert found == []
