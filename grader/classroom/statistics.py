"""The numbers of a class: how points are spread, what is hardest, which mistakes are common."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from statistics import fmean, quantiles
from typing import Any

from grader.classroom.entries import Entry, Mark
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.views.causes import causes
from grader.views.json import from_json

HARDEST = 24
BINS = 10


def unusable_phases(entry: Entry) -> dict[str, str]:
    """Return the phases whose file cannot be used, with the reason: all checkpoints fail alike."""
    if entry.outcome == "refused":
        return {"": entry.message}
    found = {}
    with suppress(ValueError, KeyError, TypeError):
        for phase in json.loads(entry.report)["phases"]:
            results = phase["checkpoints"]
            whys = {(one["verdict"], one["message"], one["reproduce"]) for one in results}
            if len(results) > 1 and len(whys) == 1:
                ((verdict, why, _),) = whys
                if verdict == "failed":
                    found[str(phase["id"])] = str(why)
    return found


def shared_causes(entry: Entry) -> list[str]:
    """Return what many checkpoints of a grading have in common."""
    try:
        return causes(from_json(entry.report))
    except UsageError:
        return []


def spread(scores: Sequence[float]) -> dict[str, float]:
    """Return the quartiles and the ends of sorted scores, or nothing for fewer than two."""
    if len(scores) < 2:
        return {}
    lower, median, upper = quantiles(scores, n=4, method="inclusive")
    return {
        "lowest": scores[0],
        "lower": lower,
        "median": median,
        "upper": upper,
        "highest": scores[-1],
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
        points: dict[str, list[Mark]] = {}
        for mark in entry.marks:
            points.setdefault(mark.id.partition(".")[0], []).append(mark)
        for phase, marks in points.items():
            earned.setdefault(phase, []).append(sum(mark.earned for mark in marks))
            possible[phase] = sum(mark.points for mark in marks)
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
            if mark.id.partition(".")[0] in unusable[entry.key.learner]:
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


def mistakes(course: Course, graded: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return known mistakes, sorted by how many learners make them."""
    known = {faulty.id: faulty.title for stage in course.stages for faulty in stage.faulty}
    makers = Counter(
        id
        for entry in graded
        for id in {mark.misconception for mark in entry.marks if mark.misconception}
    )
    return [
        {
            "id": id,
            "title": known.get(id, id),
            "count": count,
            "of": len(graded),
            "kind": "wrong",
            "filter": "mistake",
        }
        for id, count in makers.most_common()
    ]
