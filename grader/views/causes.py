"""Say once which exception many checkpoints share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.model import CheckResult, Diagnosis, Kind, Report, Verdict
from grader.text import safe

MANY = 10  # checkpoints
HEADING = "look here first: "
_EXCEPTIONS = {Kind.RAISED, Kind.MISSING_NAME}
_ENDS = {Kind.TIMEOUT, Kind.EXITED, Kind.CRASHED, Kind.MEMORY}


def causes(report: Report) -> list[str]:
    """Return a sentence for each exception in which many checkpoints end, or for which they wait.

    A phase in which all checkpoints share one result says so itself.
    """
    groups: dict[str, list[CheckResult]] = {}
    found: list[tuple[int, str]] = []
    for phase in report.phases:
        for result in phase.checkpoints if phase.shared is None else ():
            if why := _end_of(result):
                groups.setdefault(why, []).append(result)
    for end, results in groups.items():
        waiting = _waiting(report, results)
        if len(results) + len(waiting) >= MANY:
            also = f"; {_many(waiting, 'wait')} for {'them' if results[1:] else 'it'}"
            points = sum(result.points for result in (*results, *waiting))
            how = "end in " if results[0].kind in _EXCEPTIONS else "fail: "
            sentence = f"{_many(results, how)}{safe(end, 300)}{also if waiting else ''}"
            said = " ".join([f"{sentence} ({points} points).", *_common(results)])
            found.append((len(results) + len(waiting), said))
    return [sentence for _, sentence in sorted(found, key=lambda one: -one[0])]


def _end_of(result: CheckResult) -> str:
    """Return how the code ended if it did not answer, or an empty text."""
    if result.verdict is not Verdict.FAILED:
        return ""
    if result.kind in _EXCEPTIONS and result.got is not None:
        return str(result.got)
    return result.message if result.kind in _ENDS else ""


def _waiting(report: Report, results: Sequence[CheckResult]) -> list[CheckResult]:
    """Return the checkpoints that these block, also through others."""
    blocked = {result.id for result in results}
    found = []
    for result in report.checkpoints:  # a checkpoint waits for an earlier one
        if result.waits_for in blocked:
            blocked.add(result.id)
            found.append(result)
    return found


def _common(results: Sequence[CheckResult]) -> Iterator[str]:
    """Yield the explanation that all of these results share, and their line."""
    whys = {(result.diagnosis or Diagnosis()).why for result in results}
    places = {(one.file, one.line) for one in (result.where for result in results) if one}
    if len(whys) == 1 and any(whys):
        why = safe(whys.pop())
        yield why[:1].upper() + why[1:] + "." * (why[-1] not in ".?")
    if len(places) == 1 and all(result.where for result in results):
        file, line = places.pop()
        yield f"See line {line} of {safe(file)}."


def _many(results: Sequence[CheckResult], verb: str) -> str:
    """Return a number of checkpoints with a verb, whose first word has the right form."""
    if len(results) > 1:
        return f"{len(results)} checkpoints {verb}"
    return "1 checkpoint " + re.sub(r"^\w+", r"\g<0>s", verb)
