"""Notes on files that are missing or empty, or whose classes have other names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from grader.curriculum.model import Course, Stage
from grader.intake.submission import Submission
from grader.text import joined

LIKE = 0.7  # how similar two names must be, from 0 to 1
_CLASS = re.compile(rb"^class[ \t]+(\w{1,100})", re.MULTILINE)


def notes_on_files(
    course: Course, stages: Sequence[Stage], submission: Submission
) -> Iterator[str]:
    """Yield notes on files of these stages: missing, empty, or with `value` or `Node` for `Value`.

    The bytes are only searched, never parsed.
    """
    names = dict.fromkeys(stage.file for stage in stages)
    if missing := [name for name in names if not submission.has(Path(name).stem)]:
        yield f"missing: {', '.join(missing)}"
    for name in names:
        file = submission.module(Path(name).stem)
        if file is None:
            continue
        if not file.source.strip():
            yield f"{name} is empty"
        found = {word.decode("ascii", "replace") for word in _CLASS.findall(file.source)}
        wanted = {method.partition(".")[0] for method in course.names(name) if "." in method}
        for owner in sorted(wanted - found):
            alike = [other for other in sorted(found) if other.casefold() == owner.casefold()]
            for other in alike:
                yield f"{name} defines the class {other}; it must be called {owner}"
            if (
                not alike
                and found
                and found.isdisjoint(wanted)
                and owner.encode() not in file.source
            ):
                yield f"{name} defines the class {joined(sorted(found))}; none is called {owner}"


def near_class(source: bytes, owner: str) -> str:
    """Return a question about the first class with nearly a name."""
    for number, line in enumerate(source.splitlines(), 1):
        found = _CLASS.match(line)
        other = found[1].decode("ascii", "replace") if found else ""
        if get_close_matches(other.casefold(), [owner.casefold()], 1, LIKE):
            return f"; line {number} defines `{other}`: did you mean `{owner}`?"
    return ""
