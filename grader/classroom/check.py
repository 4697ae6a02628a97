"""The contents of a download, before anything is graded. None of it is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from grader.classroom.download import Download
from grader.classroom.entries import Entry, called
from grader.classroom.grading import GradingOptions, course_digest, failed, read_task
from grader.classroom.marks import GIVE_TIMES
from grader.classroom.policy import Policy
from grader.classroom.times import shown_time
from grader.curriculum.model import Course
from grader.text import joined, plural


def findings(
    download: Download, policy: Policy, course: Course, how: GradingOptions
) -> Iterator[str]:
    """Yield the findings: layout, owners, times, late learners, and what will not be graded."""
    yield download.count()
    owners = (((one.learner, one.name), *one.partners) for one in download.handed)
    yield from download.remarks(dict(chain.from_iterable(owners)))
    yield download.times()
    digest = course_digest(course)
    read = [read_task(one, course, digest, how) for one in download.handed]
    entries = [one if isinstance(one, Entry) else failed(one, "") for one in read]
    if policy.due:
        yield from _lateness(entries, policy)
    refused = [one for one in entries if one.message]
    if refused:
        yield f"not graded: {len(refused)}"
    yield from (f"  {called(one.name, one.key.learner)}: {one.message}" for one in refused)


def _lateness(entries: Sequence[Entry], policy: Policy) -> Iterator[str]:
    names = {one.key: called(one.name, one.key.learner) for one in entries}
    unknown = [names[one.key] for one in entries if policy.is_unknown(one)]
    late = [
        f"{names[one.key]}: {'counted as ' * one.late}{plural(days, 'day')}"
        for one in entries
        if not policy.is_unknown(one) and (days := policy.days_late(one))
    ]
    yield f"late (due {shown_time(policy.due)}): {'; '.join(late) or 'nobody'}"
    if unknown:
        yield f"no mark without a time: {joined(unknown)}"
        yield f"hint: {GIVE_TIMES}"
