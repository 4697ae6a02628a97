"""A hash of the functions that a phase uses, found line by line: a submission is never parsed."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from textwrap import dedent

from grader.curriculum.model import Course, Stage
from grader.intake.submission import Submission

_STATEMENT = re.compile(r"^(?=[^\s)}\]])", re.MULTILINE)
_HEAD = re.compile(r"(?:async +)?(def|class) +(\w+)|(\w+) *=(?!=)")


def hash_of_functions(submission: Submission, course: Course, stage: Stage) -> str:
    """Hash the functions of a stage and of the phases before it, and every helper that one of them
    names. Comments, blank lines and the order of the functions do not count. A file is hashed as a
    whole if one of its functions cannot be found.
    """
    parts: list[object] = []
    known = {name for other in course.stages for name in other.asked}
    for module in course.modules_until(stage):
        names = [
            name
            for other in (*course.before(stage), stage)
            if other.module == module and (other is stage or not other.optional)
            for name in other.asked
        ]
        sources = [
            file.source
            for file in submission.files
            if file.role == "cell" or (file.role == "course" and file.module == module)
        ]
        found = {name: code for source in sources for name, code in definitions(source).items()}
        if not found.keys() >= set(names):
            whole = b"\n".join(sources).decode("utf-8", "replace")
            found = {name: found.get(name, "") + whole for name in names}
        parts.append((module, sorted(_used(found, names, known).items())))
    parts += [(file.module, file.source) for file in submission.files if file.role == "helper"]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _used(found: Mapping[str, str], names: list[str], known: set[str]) -> dict[str, str]:
    """Return the definitions of these names, and of the helpers that they mention."""
    helpers = defaultdict[str, list[str]](list)
    for name, code in found.items():
        if name not in known and code.startswith(("def ", "class ", "async ", "@")):
            helpers[name.rpartition(".")[2]].append(name)
    used: dict[str, str] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in used:
            used[name] = found.get(name, "")
            for word in re.findall(r"\w+", used[name]):
                todo += helpers.pop(word, [])
    return used


@lru_cache(maxsize=32)
def definitions(source: bytes) -> dict[str, str]:
    """Return every function, method and assigned name by its qualified name, without comments and
    blank lines. The last definition of a name counts.
    """
    lines = source.decode("utf-8", "replace").expandtabs().splitlines()
    code = (line.rstrip() for line in lines if line.strip() and line.strip()[0] != "#")
    return dict(_definitions("\n".join(code)))


def _definitions(source: str, owner: str = "") -> Iterator[tuple[str, str]]:
    """Yield the definitions among these statements. For a class, yield its first line, and then its
    own definitions.
    """
    decorators = ""
    for statement in _STATEMENT.split(source):
        if statement.startswith("@"):
            decorators += statement
        elif head := _HEAD.match(statement):
            kind, defined, assigned = head.groups()
            name, (first, _, body) = owner + (defined or assigned), statement.partition("\n")
            is_outer = kind == "class" and not owner
            yield name, decorators + (first if is_outer else statement.rstrip())
            if is_outer:
                yield from _definitions(dedent(body), f"{name}.")
            decorators = ""
