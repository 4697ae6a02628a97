"""A hash of the functions that a phase uses, found line by line: a submission is never parsed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache

from grader.curriculum.model import Course, Stage
from grader.intake.submission import Submission

_HEAD = re.compile(rb"(?:async +)?(def|class) +(\w+)|(\w+) *=(?!=)")
_DEFINED = (b"def ", b"class ", b"async ", b"@")
_CLOSING = (b")", b"]", b"}")
_WORD = re.compile(rb"\w+")
Definition = tuple[bytes, ...]


def hash_of_functions(submission: Submission, course: Course, stage: Stage) -> str:
    """Hash the functions of a stage and of the phases before it, and every helper that one of them
    names. Comments, blank lines and the order of the functions do not count. A file is hashed as a
    whole if one of its functions cannot be found.
    """
    digest = hashlib.sha256()
    known = {name for other in course.stages for name in other.asked}
    for module in course.modules_until(stage):
        names = [
            name
            for other in course.stages[: course.stages.index(stage) + 1]
            if other.module == module and (other is stage or not other.optional)
            for name in other.asked
        ]
        sources = [
            file.source
            for file in submission.files
            if file.role == "cell" or (file.role == "course" and file.module == module)
        ]
        found = {name: lines for text in sources for name, lines in definitions(text).items()}
        if not found.keys() >= set(names):
            found = {name: (*found.get(name, ()), *sources) for name in names}
        for name, lines in sorted(_used(found, names, known).items()):
            digest.update(b"\n".join([module.encode(), name.encode(), *lines, b""]))
    for file in submission.files:
        if file.role == "helper":
            digest.update(file.module.encode() + b"\n" + file.source)
    return digest.hexdigest()


def _used(
    found: Mapping[str, Definition], names: list[str], known: set[str]
) -> dict[str, Definition]:
    """Return the definitions of these names, and of the helpers that they mention."""
    helpers: dict[str, list[str]] = {}
    for name in found:
        if name not in known and found[name][0].startswith(_DEFINED):
            helpers.setdefault(name.rpartition(".")[2], []).append(name)
    used: dict[str, Definition] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in used:
            continue
        used[name] = found.get(name, ())
        for word in _WORD.findall(b"\n".join(used[name])):
            todo += helpers.pop(word.decode("utf-8", "replace"), [])
    return used


@lru_cache(maxsize=32)
def definitions(source: bytes) -> dict[str, Definition]:
    """Return the lines of every function, method and assigned name by its qualified name, without
    comments and blank lines. The last definition of a name counts.
    """
    found: dict[str, list[bytes]] = {}
    around: list[tuple[int, str, bool]] = []  # indentation, name, whether it is a class
    decorators: list[bytes] = []
    for line in source.splitlines():
        code = line.strip()
        if not code or code.startswith(b"#"):
            continue
        plain = line.expandtabs()
        depth = len(plain) - len(plain.lstrip())
        while around and depth <= around[-1][0] and not code.startswith(_CLOSING):
            around.pop()
        if not around or around[-1][2]:
            if code.startswith(b"@"):
                decorators.append(code)
                continue
            if head := _HEAD.match(code):
                kind, defined, assigned = head.groups()
                owner = f"{around[-1][1]}." if around else ""
                name = owner + (defined or assigned).decode("utf-8", "replace")
                around.append((depth, name, kind == b"class"))
                found[name], decorators = decorators, []
        if around:
            found[around[-1][1]].append(code if depth == around[-1][0] else line.rstrip())
    return {name: tuple(lines) for name, lines in found.items()}
