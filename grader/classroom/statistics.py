"""The numbers of a class: how points are spread, what is hardest, which mistakes are common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, quantiles
from typing import Any

from grader.classroom.entries import Entry
from grader.curriculum.model import Course
from grader.model import Report

HARDEST = 24
BINS = 10


def unusable_phases(entry: Entry, report: Report | None) -> dict[str, str]:
    """Return the phases whose file cannot be used, with the reason: all checkpoints fail alike."""
    if entry.outcome == "refused":
        return {"": entry.message}
    found = ((phase.id, phase.shared) for phase in report.phases) if report else ()
    return {
        id: shared.message for id, shared in found if shared and shared.verdict.value == "failed"
    }


def spread(scores: Sequence[float]) -> dict[str, float]:
    """Return the quartiles and the ends of sorted scores, or nothing for fewer than two."""
    if len(scores) < 2:
        return {}
    quartiles = quantiles(scores, n=4, method="inclusive")
    names = ("lowest", "lower", "median", "upper", "highest")
    return dict(zip(names, (scores[0], *quartiles, scores[-1])))


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
            "first": most * place / BINS,
            "last": most * (place + 1) / BINS,
        }
        for place in range(BINS)
    ]


def phase_means(graded: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return the mean of the points in each phase, in the order of the course."""
    earned: dict[str, list[int]] = {}
    possible: dict[str, int] = {}
    for entry in graded:
        possible |= entry.possible
        points = entry.earned
        for phase in entry.possible:
            earned.setdefault(phase, []).append(points[phase])
    return [
        {"id": phase, "mean": fmean(points), "of": possible[phase]}
        for phase, points in earned.items()
        if possible[phase]
    ]


def hardest(
    graded: Sequence[Entry], titles: Mapping[str, str], unusable: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]]:
    """Return the checkpoints that fail most. Files that cannot be used do not count."""
    tried: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for entry in graded:
        for mark in entry.marks:
            if mark.phase in unusable[entry.key.learner]:
                continue
            if not mark.bonus and mark.verdict in {"passed", "failed"}:
                tried[mark.id] += 1
                passed[mark.id] += mark.verdict == "passed"
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
        for id in order[:HARDEST]
    ]


def mistakes_in(course: Course, entry: Entry) -> dict[str, str]:
    """Return the titles of the mistakes that a learner makes, by id: known ones, and what mends."""
    known = {faulty.id: faulty.title for stage in course.stages for faulty in stage.faulty}
    found = [mark.misconception for mark in entry.marks if mark.misconception]
    return {name: known.get(name, name) for name in found}


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
