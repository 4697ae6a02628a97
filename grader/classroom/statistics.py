"""The numbers of a class: how points are spread, what is hardest, which mistakes are common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from statistics import fmean
from typing import Any

from grader.classroom.entries import Entry
from grader.classroom.marks import Standing
from grader.classroom.rubric import Item
from grader.classroom.times import shown_time
from grader.curriculum.model import Course
from grader.model import Report

BINS = 10
PERIODS = 14


def unusable_phases(entry: Entry, report: Report | None) -> dict[str, str]:
    """Return the phases whose file cannot be used, with the reason why all checkpoints fail."""
    if entry.outcome == "refused":
        return {"": entry.message}
    return {
        phase.id: phase.shared.message
        for phase in (report.phases if report else ())
        if phase.shared and phase.shared.verdict.value == "failed"
    }


def bins(scores: Sequence[float], most: float) -> list[dict[str, Any]]:
    """Return the bars of a histogram: tenths of the points, and how many learners are in each."""
    if not most or len(scores) < 2:
        return []
    counts = Counter(min(BINS - 1, int(BINS * score / most)) for score in scores)
    highest = max(counts.values())
    return [
        {
            "count": counts[place],
            "height": 100 * counts[place] / highest,
            "id": place,
            "label": f"{most * place / BINS:g} to {most * (place + 1) / BINS:g} points",
            "short": f"{most * place / BINS:.0f}",
        }
        for place in range(BINS)
    ]


def phase_means(graded: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return the mean of the points in each phase, in the order of the course."""
    possible = {phase: most for entry in graded for phase, most in entry.possible.items()}
    earned = [entry.earned for entry in graded]
    return [
        {
            "id": phase,
            "label": f"not all of {phase}",
            "soft": "",
            "mean": fmean(points[phase] for points in earned if phase in points),
            "of": most,
        }
        for phase, most in possible.items()
        if most
    ]


def means_by_hand(marks: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return the mean of each hand-graded part, and how many are not marked yet."""
    found: dict[Item, list[float | None]] = {}
    for one in (mark for standing in marks for mark in standing.by_hand):
        found.setdefault(one.item, []).append(one.points)
    given = {item: [one for one in found[item] if one is not None] for item in found}
    return [
        {
            "id": item.id,
            "title": item.title,
            "label": f"{item.id} not marked yet",
            "soft": f"{missing} not marked yet" if 0 < missing < len(found[item]) else "",
            "mean": fmean(given[item]) if given[item] else None,
            "of": item.points,
        }
        for item in found
        if (missing := len(found[item]) - len(given[item])) >= 0
    ]


def section_means(marks: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return the mean of each section's points, sorted by name; nothing for a single section."""
    found: dict[str, list[float]] = {}
    for one in marks:
        found.setdefault(one.person.section, []).extend([] if one.so_far is None else [one.so_far])
    most = next((one.of for one in marks if one.of), None)
    return [
        {
            "id": name,
            "title": name or "no section",
            "label": f"section {name}" if name else "no section",
            "soft": f"{len(points)} learners",
            "mean": fmean(points),
            "of": most,
        }
        for name, points in sorted(found.items())
        if most and points and len(found) > 1
    ]


def day_of(entry: Entry) -> str:
    """Return the local day of the submission, such as `2026-11-30`, if known."""
    return "" if entry.submitted is None else shown_time(entry.submitted)[:10]


def periods(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return the bars of a histogram of days, or of several days each: how many handed in then."""
    days = [date.fromisoformat(day).toordinal() for day in map(day_of, entries) if day]
    if len(days) < 2:
        return []
    first, width = min(days), (max(days) - min(days)) // PERIODS + 1
    counts = Counter((day - first) // width for day in days)
    starts = [date.fromordinal(first + width * place) for place in range(max(counts) + 1)]
    return [
        {
            "count": counts[place],
            "height": 100 * counts[place] / max(counts.values()),
            "id": f"{start} {start + timedelta(width - 1)}",
            "label": f"{start} to {start + timedelta(width - 1)}" if width > 1 else f"{start}",
            "short": f"{start:%d %b}",
        }
        for place, start in enumerate(starts)
    ]


def hardest(
    graded: Sequence[Entry], titles: Mapping[str, str], unusable: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]]:
    """Return the checkpoints that fail most. Files that cannot be used do not count."""
    marks = [
        mark
        for entry in graded
        for mark in entry.marks
        if mark.phase not in unusable[entry.key.learner] and not mark.bonus
    ]
    tried = Counter(mark.id for mark in marks if mark.verdict in {"passed", "failed"})
    passed = Counter(mark.id for mark in marks if mark.verdict == "passed")
    order = sorted(
        (id for id in tried if passed[id] < tried[id]),
        key=lambda name: (passed[name] / tried[name], -tried[name], name),
    )
    return [
        {
            "id": id,
            "title": titles[id],
            "count": passed[id],
            "of": tried[id],
            "kind": "",
            "filter": "failed",
        }
        for id in order[:24]
    ]


def mistakes_in(course: Course, entry: Entry) -> dict[str, str]:
    """Return the titles of the mistakes that a learner makes, by id: known mistakes, or
    descriptions of the change that fixes them.
    """
    known = {faulty.id: faulty.title for stage in course.stages for faulty in stage.faulty}
    return {
        mark.misconception: known.get(mark.misconception, mark.misconception)
        for mark in entry.marks
        if mark.misconception
    }


def mistakes(found: Mapping[str, Mapping[str, str]], of: int) -> list[dict[str, Any]]:
    """Return the mistakes of all learners, sorted by how many make them."""
    titles = {id: title for own in found.values() for id, title in own.items()}
    makers = Counter(id for own in found.values() for id in own)
    return [
        {
            "id": id,
            "title": titles[id],
            "count": count,
            "of": of,
            "kind": "wrong",
            "filter": "mistake",
        }
        for id, count in makers.most_common()
    ]
