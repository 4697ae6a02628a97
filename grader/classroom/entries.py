"""Gradings as the gradebook stores them, and which of them count.

A grading is identified by learner, content, course, phases and seed, so nothing is graded or
counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from grader.classroom.times import EXACT, GIVEN, LATE, UNKNOWN
from grader.errors import UsageError
from grader.model import Report, Visibility
from grader.views.json import from_json

Partners = tuple[tuple[str, str], ...]
"""The ids and names of everybody else who gets a mark."""


class Key(NamedTuple):
    """The key of a grading: learner, content, course, phases and seed."""

    learner: str
    sha256: str
    course: str
    phases: str
    seed: int


class Mark(NamedTuple):
    """One checkpoint of one grading. `misconception` is the known mistake found, or a sentence
    about the change that fixes it, if any.
    """

    id: str
    verdict: str
    earned: int
    points: int
    bonus: bool
    misconception: str = ""
    title: str = ""
    visibility: str = "visible"

    @property
    def phase(self) -> str:
        """Return the phase that it belongs to."""
        return self.id.partition(".")[0]

    @property
    def column(self) -> str:
        """Return the column's heading: the id, with a remark if learners may not see the result."""
        remark = Visibility(self.visibility).remark
        return f"{self.id} ({remark})" if remark else self.id


@dataclass(frozen=True)
class Entry:
    """One grading, with the report as JSON. `outcome` is `graded`, `refused` if the submission
    could not be read, or `error` if the grader failed. `timing` says how reliable `received` is. It
    is `explained` if its failures were searched for changes that fix them. It `counts` unless
    another grading of the same content does, with other suites or another seed.
    """

    key: Key
    name: str
    origin: str
    received: float
    timing: str
    outcome: str
    message: str = ""
    score: float = 0
    max_score: float = 0
    marks: tuple[Mark, ...] = ()
    report: str = ""
    again: float = 0.0
    again_timing: str = UNKNOWN
    partners: Partners = ()
    explained: bool = False
    counts: bool = True

    @property
    def late(self) -> bool:
        """Return whether the course system says that it was late."""
        return self.timing == LATE

    @property
    def submitted(self) -> float | None:
        """Return when it was handed in, if known."""
        return self.received if self.timing in {EXACT, GIVEN} else None

    def read_report(self) -> Report | None:
        """Return the report, or None if there is none."""
        return from_json(self.report) if self.report else None

    @property
    def unexplained(self) -> bool:
        """Return whether a failure has not been searched for a change."""
        failed = any((one.verdict, one.visibility) == ("failed", "visible") for one in self.marks)
        return failed and not self.explained

    @property
    def possible(self) -> dict[str, int]:
        """Return the points that each phase has."""
        return {
            phase: sum(mark.points for mark in self.marks if mark.phase == phase)
            for phase in dict.fromkeys(mark.phase for mark in self.marks)
        }

    @property
    def earned(self) -> dict[str, int]:
        """Return the points of each judged phase and checkpoint. A bonus is 1 if it passes."""
        judged = [mark for mark in self.marks if mark.verdict != "error"]
        lost = {mark.phase for mark in self.marks if mark.verdict == "error"}
        phases = {
            phase: sum(mark.earned for mark in judged if mark.phase == phase)
            for phase in self.possible
            if phase not in lost
        }
        return phases | {
            mark.column: int(mark.verdict == "passed") if mark.bonus else mark.earned
            for mark in judged
        }

    @property
    def as_last(self) -> Entry:
        """The grading with the last hand-in time, if the same content came more than once."""
        if self.again <= self.received:
            return self
        return replace(self, received=self.again, timing=self.again_timing)


def called(name: str, id: str) -> str:
    """Return a learner's name, and the id if it differs."""
    return id if name == id or id.startswith(f"{name} (") else f"{name} ({id})"


def chosen(
    entries: Sequence[Entry], keep: str, worth: Callable[[Entry], float] = lambda one: one.score
) -> dict[str, Entry]:
    """Return the entry that counts for each learner: the `best` (of equals the earliest) or the
    `last`. An ungraded entry is never the best if there is a graded one.
    """
    counted = [one for one in entries if one.counts]
    if keep == "last":
        ordered = sorted((one.as_last for one in counted), key=lambda one: one.received)
    else:  # among equals, the first comes last
        ordered = sorted(
            counted, key=lambda one: (one.outcome == "graded", worth(one)), reverse=True
        )[::-1]
    return {one.key.learner: one for one in ordered}


def of_one_kind(entries: Sequence[Entry], kind: str | None) -> list[Entry]:
    """Return the entries of these phases. Raise UsageError if they differ and `kind` is None."""
    kinds = sorted({entry.key.phases for entry in entries})
    if kind is None and len(kinds) > 1:
        raise UsageError(
            f"the gradebook has gradings of different kinds: {'; '.join(kinds)}",
            "choose one in class.toml, or with --phases and --package, and add --together unless it"
            " ends in --isolate",
        )
    return [entry for entry in entries if kind in {None, entry.key.phases}]
