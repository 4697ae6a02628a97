"""Say once which exception several checkpoints share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.model import CheckResult, Diagnosis, Kind, Report, Verdict
from grader.text import safe

MANY = 10  # checkpoints
HEADING = "look here first: "
_EXCEPTIONS = {Kind.RAISED, Kind.MISSING_NAME}
_ENDS = {Kind.TIMEOUT, Kind.EXITED, Kind.CRASHED, Kind.MEMORY}


class Cause(NamedTuple):
    """Checkpoints that end in the same way, and how many wait for them."""

    end: str
    results: tuple[CheckResult, ...]
    waiting: int

    def __str__(self) -> str:
        """Return the number of checkpoints, how they end, and the explanation."""
        how = "end in" if self.results[0].kind in _EXCEPTIONS else "fail:"
        said = self.sum.replace("end in this way", f"{how} {safe(self.end, 300)}")
        return " ".join([said, *_common(self.results)])

    @property
    def sum(self) -> str:
        """Return how many checkpoints end in this way, and how many wait for them."""
        also = f"; {self.waiting} wait for them" if self.waiting else ""
        return f"{len(self.results)} checkpoints end in this way{also}."

    @property
    def total(self) -> int:
        """Return how many checkpoints it keeps from passing."""
        return len(self.results) + self.waiting


def find_causes(report: Report) -> list[Cause]:
    """Return each exception shared by several checkpoints, if it keeps many from passing.

    If all checkpoints of a phase share one result, the phase itself says so.
    """
    groups: dict[str, list[CheckResult]] = {}
    for phase in report.phases:
        for result in phase.checkpoints if phase.shared is None else ():
            if end := _end_of(result):
                groups.setdefault(end, []).append(result)
    found = [
        Cause(end, tuple(results), _waiting(report, results))
        for end, results in groups.items()
        if results[1:]
    ]
    return sorted((one for one in found if one.total >= MANY), key=lambda one: -one.total)


def causes(report: Report) -> list[str]:
    """Return a sentence for each cause of a report."""
    return [str(cause) for cause in find_causes(report)]


def _end_of(result: CheckResult) -> str:
    """Return how the code ended if it did not answer, or an empty string."""
    if result.verdict is not Verdict.FAILED:
        return ""
    if result.kind in _EXCEPTIONS and result.got is not None:
        return str(result.got)
    return result.message if result.kind in _ENDS else ""


def _waiting(report: Report, results: Sequence[CheckResult]) -> int:
    """Return how many checkpoints these block, directly or indirectly."""
    blocked = {result.id for result in results}
    for result in report.checkpoints:  # a checkpoint waits for an earlier one
        if result.waits_for in blocked:
            blocked.add(result.id)
    return len(blocked) - len(results)


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
