"""Look up in a submission's bytes what it has written, without parsing them."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from grader.curriculum.model import Course
from grader.intake.run_notes import RunNote
from grader.intake.submission import File, Submission, words_behind
from grader.text import joined
from grader.worker.protocol import NameState

_ASSIGNED = re.compile(rb"(?m)^\w+(?=[ \t]*(?:=[^=]|[,:]))")


def digests(files: Sequence[File], names: Mapping[str, NameState]) -> dict[str, str]:
    """Return a short hash of the lines of every function that is written.

    Editing a function changes it.
    """
    lines = {file.shown: file.source.splitlines() for file in files}
    return {
        name: (
            hashlib.sha256(
                b"\n".join(lines[status.file][max(status.line - 1, 0) : status.last])
            ).hexdigest()[:12]
        )
        for name, status in names.items()
        if status.state in {"present", "empty"} and status.file in lines
    }


def may_define(files: Sequence[File], note: RunNote, name: str) -> bool:
    """Return whether a line that did not run seems to define or import the name: any in a cell, or
    those of a file from the noted one on.
    """
    for file in files:
        if file.shown == note.shown:
            lines = file.source.splitlines()[note.line - 1 if note.ends_file else 0 :]
            source = b"\n".join(lines)
            if name.encode() in _defined(source) or name in {
                found.name for found in _definitions(source) if not found.owner
            }:
                return True
    return False


@lru_cache(maxsize=8)
def _defined(source: bytes) -> frozenset[bytes]:
    words = words_behind(source, b"class", b"def", b"import")
    return frozenset((*words, *_ASSIGNED.findall(source)))


def with_files_joined(submission: Submission, course: Course) -> Submission:
    """Return the submission; as a notebook, whose cells are all files at once, if its files define
    what belongs into a required one that is missing.
    """
    files = [file for file in submission.files if file.role == "course"]
    missing = {
        stage.file
        for stage in course.stages
        if not stage.optional and not submission.has(stage.module)
    }
    asked = {name for file in missing for name in course.names(file)}
    found = {one.name for file in files for one in _definitions(file.source) if not one.owner}
    if asked.isdisjoint(found):
        return submission
    cells = [replace(file, role="cell") if file in files else file for file in submission.files]
    where = joined([Path(file.shown).name for file in files])
    note = f"looked for {' and '.join(sorted(missing))} in {where}"
    return replace(submission, files=tuple(cells), notes=(*submission.notes, note))


def tried(files: Sequence[File], name: str, course: Course) -> bool:
    """Return whether the code seems to define a name that is missing where it belongs.

    It may stand in the wrong place, be misspelt or answered by `__getattr__`; all classes may have
    names that the course does not ask for. What another class of the course has does not count.
    """
    owner, _, last = name.rpartition(".")
    asked = [each for file in course.files for each in course.names(file)]
    known = {part for each in asked for part in each.split(".")} | _SPECIAL
    if course.graph is not None:
        known |= {course.graph.step, course.graph.op}
    found = [one for file in files for one in _definitions(file.source)]
    here = {one.name for one in found if one.owner == owner or one.owner not in known}
    classes = {one.name for one in found if one.is_class}
    return (
        not here.isdisjoint({last, "__getattr__"})
        or bool(get_close_matches(last, sorted(here - known)[:_MOST], 1, _LIKE))
        or (last[:1].isupper() and bool(classes) and classes.isdisjoint(known))
    )


class _Definition(NamedTuple):
    owner: str  # the class above it, or "" at the top level
    name: str
    is_class: bool


_LIKE = 0.7  # how similar two names must be, from 0 to 1
_MOST = 1_000  # names to compare
_SPECIAL = {name for owner in (float, list, operator) for name in dir(owner) if name[:2] == "__"}
_DEFINITION = re.compile(
    rb"(?m)^([ \t]*)(?:class[ \t]+(\w+)|(?:async[ \t]+)?def[ \t]+(\w+)|(?:\w+\.)?(\w+)[ \t]*=[^=])"
)


@lru_cache(maxsize=8)
def _definitions(source: bytes) -> frozenset[_Definition]:
    """Return the classes, functions and variables that the code defines, as far as lines tell."""
    found, owner = set(), ""
    for indent, *words in _DEFINITION.findall(source):
        owner = owner if indent else ""
        name = b"".join(words).decode("ascii", "replace")
        found.add(_Definition(owner, name, bool(words[0])))
        owner = name if words[0] else owner
    return frozenset(found)
