"""Notes on files that are missing or empty, or whose classes have other names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.curriculum.model import Course, Stage
from grader.intake.submission import Submission
from grader.text import joined

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
