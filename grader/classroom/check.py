"""The contents of a download, before anything is graded. None of it is run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.classroom.entries import Entry, called
from grader.classroom.grading import GradingOptions, course_digest, failed, read_task
from grader.classroom.handed_in import Handed
from grader.classroom.layout import unexplained
from grader.classroom.marks import GIVE_TIMES
from grader.classroom.owners import Owners
from grader.classroom.policy import Policy
from grader.classroom.times import EXACT, GIVEN, IN_TIME, LATE, UNKNOWN, shown_time
from grader.curriculum.model import Course
from grader.text import joined

_STAMPS = {"Gradescope": "submission_metadata.yml", "nbgrader": "nbgrader's timestamp.txt"}


@dataclass(frozen=True)
class Download:
    """A class's folder, its layout, its submissions as the layout names them, and the same
    submissions with the names and times that `owners` knows.
    """

    folder: Path
    layout: str
    found: Sequence[Handed]
    owners: Owners

    @cached_property
    def handed(self) -> list[Handed]:
        """Return the submissions with their owners."""
        return self.owners.match(self.found)

    def count(self) -> str:
        """Return how many submissions there are, and the layout unless it is a plain folder."""
        layout = "" if self.layout == "folder" else f" ({self.layout})"
        return f"submissions: {len(self.found)}{layout}"

    def times(self) -> str:
        """Return which times are trusted, and where they come from."""
        sources = Counter(
            "roster" if one.timing == EXACT != before.timing else one.timing
            for before, one in zip(self.found, self.handed)
        )
        words = {
            GIVEN: "from --times",
            "roster": "from the roster",
            EXACT: f"from {_STAMPS.get(self.layout, 'the download')}",
            IN_TIME: "in time by Canvas's own due date",
            LATE: "late by Canvas's own due date; how late is unknown",
            UNKNOWN: "not known, because the time of a file or a folder is never trusted",
        }
        known = [f"{sources[key]} {said}" for key, said in words.items() if sources[key]]
        return f"times: {'; '.join(known)}"


def findings(
    download: Download, policy: Policy, course: Course, how: GradingOptions
) -> Iterator[str]:
    """Yield the findings: layout, owners, times, late learners, and what will not be graded."""
    yield download.count()
    yield from download.owners.remarks({one.learner: one.name for one in download.handed})
    yield download.times()
    digest = course_digest(course)
    read = [read_task(one, course, digest, how) for one in download.handed]
    entries = [one if isinstance(one, Entry) else failed(one, "") for one in read]
    if policy.due:
        yield from _lateness(entries, policy)
    refused = [one for one in entries if one.message]
    names = unexplained(download.folder, download.found)
    if refused or names:
        yield f"not graded: {len(refused) + len(names)}"
    yield from (f"  {called(one.name, one.key.learner)}: {one.message}" for one in refused)
    if names:
        yield f"  {joined(names)}: the name does not look like a submission"


def _lateness(entries: Sequence[Entry], policy: Policy) -> Iterator[str]:
    names = {one.key: called(one.name, one.key.learner) for one in entries}
    unknown = [names[one.key] for one in entries if policy.is_unknown(one)]
    late = [
        f"{names[one.key]}: {'counted as ' * one.late}{days} day{'s' * (days > 1)}"
        for one in entries
        if not policy.is_unknown(one) and (days := policy.days_late(one))
    ]
    yield f"late (due {shown_time(policy.due)}): {'; '.join(late) or 'nobody'}"
    if unknown:
        yield f"no mark without a time: {joined(unknown)}"
        yield f"hint: {GIVE_TIMES}"
