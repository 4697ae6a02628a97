"""Find the functions and names in a submission's bytes without parsing them."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.model import Course
from grader.intake.run_notes import RunNote
from grader.intake.submission import File, Submission, alias, words_beside
from grader.text import joined
from grader.worker.protocol import NameState

_ASSIGNED = re.compile(rb"(?m)^\w+(?=[ \t]*(?:=[^=]|[,:]))")


def functions(files: Sequence[File], names: Mapping[str, NameState]) -> dict[str, bytes]:
    """Return the lines of every written function."""
    lines = {file.shown: file.source.splitlines() for file in files}
    return {
        name: b"\n".join(lines[status.file][max(status.line - 1, 0) : status.last])
        for name, status in names.items()
        if status.state in {"present", "empty"} and status.file in lines
    }


def may_define(files: Sequence[File], note: RunNote, name: str) -> bool:
    """Return whether a skipped line seems to define or import the name: any line in a cell or, in a
    file, the noted line or a later one.
    """
    first = note.line - 1 if note.ends_file else 0
    return any(
        name.encode() in _defined(b"\n".join(file.source.splitlines()[first:]))
        for file in files
        if file.shown == note.shown
    )


@lru_cache(maxsize=8)
def _defined(source: bytes) -> frozenset[bytes]:
    words = words_beside(source, b"class", b"def", b"import")
    outside = (one.name.encode() for one in _definitions(source) if not one.owner)
    return frozenset((*words, *_ASSIGNED.findall(source), *outside))


def with_files_joined(submission: Submission, course: Course) -> Submission:
    """Return the submission, with a helper in place of a required file that is missing, or turn it
    into a notebook, whose cells are all files at once, if the others define its content.
    """
    required = {stage.file: stage.module for stage in course.stages if not stage.optional}
    missing = [file for file, module in required.items() if not submission.has(module)]
    helpers, files = (
        [file for file in submission.files if file.role == role] for role in ("helper", "course")
    )
    homes = {name: [each for each in helpers if _defines(each, name, course)] for name in missing}
    same = {name: found[0] for name, found in homes.items() if len(found) == 1}
    submission = replace(
        submission,
        files=(*submission.files, *(alias(same[name], required[name], "course") for name in same)),
        notes=(
            *submission.notes,
            *(f"{Path(home.shown).name!r} is graded as {name}" for name, home in same.items()),
        ),
    )
    left = [name for name in missing if name not in same]
    if not any(_defines(file, name, course) for file in files for name in left):
        return submission
    cells = [replace(file, role="cell") if file in files else file for file in submission.files]
    where = joined([Path(file.shown).name for file in files])
    note = f"looked for {' and '.join(sorted(left))} in {where}"
    return replace(submission, files=tuple(cells), notes=(*submission.notes, note))


def _defines(file: File, name: str, course: Course) -> bool:
    """Return whether a file defines something at its top level that another one should."""
    found = {one.name for one in _definitions(file.source) if not one.owner}
    return not found.isdisjoint(course.names(name))


def notes_on_files(files: Sequence[str], submission: Submission) -> Iterator[str]:
    """Yield notes on which of these files are missing or empty."""
    names = dict.fromkeys(files)
    if missing := [name for name in names if not submission.has(Path(name).stem)]:
        yield f"missing: {', '.join(missing)}"
    for name in names:
        file = submission.module(Path(name).stem)
        if file is not None and not file.source.strip():
            yield f"{name} is empty"


def attempt(files: Sequence[File], name: str, course: Course, meant: str = "") -> Definition | None:
    """Return the name that the code seems to define in place of a missing one, or None.

    It may be in the wrong place, misspelt or answered by `__getattr__`; classes may have names that
    the course does not ask for. A name that belongs to another class of the course does not count.
    If an object has the `meant` name, it may also be an attribute. For a missing class it is the
    class with the most of its methods.
    """
    owner, _, last = name.rpartition(".")
    asked = [each for file in course.files for each in course.names(file)]
    known = {part for each in asked for part in each.split(".")} | _SPECIAL
    if course.graph is not None:
        known |= {course.graph.step, course.graph.op}
    found = [one for file in files for one in _definitions(file.source, file.shown)]
    mine = [one for one in found if one.owner == owner and (one.word or owner)]
    own = next((one for one in mine if one.name == meant), None)
    if own is not None and meant != last and meant not in known:
        return own._replace(word=own.word or _SETS)
    homes = {one.file for one in found if (one.word, one.name) == ("class", owner)}
    here = {
        one.name: one
        for one in found
        if one.owner == owner or (one.owner not in known and (not one.owner or homes <= {one.file}))
    }
    near = get_close_matches(last, sorted(here.keys() - known)[:_MOST], 1, _LIKE)
    classes = {one.name: one for one in found if one.word == "class"}
    if last[:1].isupper():
        here = classes | {one.name: one for one in here.values() if not one.owner}
        written = Counter(one.owner for one in found if f"{last}.{one.name}" in asked)
        alike = sorted(classes, key=lambda one: -written[one])
        near = [*near, *(alike if known.isdisjoint(classes) else [])]
    return next((here[one] for one in (last, *near, "__getattr__") if one in here), None)


class Definition(NamedTuple):
    """A class, function or variable that the code seems to define."""

    owner: str  # the class above it, or "" at the top level
    name: str
    word: str  # "class", "def", "sets" (an attribute) or "" (a variable)
    file: str
    line: int

    def instead_of(self, name: str, file: str) -> str:
        """Return where it is and what it should be: the `name` that a `file` lacks."""
        if not self.word or self.name == "__getattr__":
            return ""
        shown = Path(self.file).name
        place = f"line {self.line}" if shown == file else f"{shown}:{self.line}"
        owner, _, last = name.rpartition(".")
        if self.name != last:
            verb = _SETS if self.word == _SETS else "defines"
            return f"; {place} {verb} `{self.name}`: did you mean `{last}`?"
        where = f"in the class `{owner}`" if owner else "at the top level"
        return f"; {place} defines `{last}`, but not directly {where}"


_SETS = "sets"
_LIKE = 0.7  # how similar two names must be, from 0 to 1
_MOST = 1_000  # names to compare
_SPECIAL = {name for owner in (float, list, operator) for name in dir(owner) if name[:2] == "__"}
_DEFINITION = re.compile(
    rb"^([ \t]*)(?:(class)[ \t]+|(?:async[ \t]+)?(def)[ \t]+"
    rb"|(?:\w+\.)?(?=\w+[ \t]*(?::[^=]*)?=[^=]))(\w+)"
)


@lru_cache(maxsize=8)
def _definitions(source: bytes, file: str = "") -> tuple[Definition, ...]:
    found, owner = [], ""
    for line, text in enumerate(source.splitlines(), 1):
        if match := _DEFINITION.match(text):
            indent, *words, name = (part.decode("ascii", "replace") for part in match.groups(b""))
            owner = owner if indent else ""
            found.append(Definition(owner, name, "".join(words), file, line))
            owner = name if "class" in words else owner
    return tuple(found)
