"""A page about a class: a heat map of learners and checkpoints, the hardest checkpoints, the most
common mistakes, and every report.

Reports are stored in the page in compressed form, and the browser unpacks them when they are
opened, so a thousand fit into one file.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from jinja2.utils import htmlsafe_json_dumps

from grader.classroom.anonymous import names_in, pseudonyms, scrubbed, without_names
from grader.classroom.entries import Entry, current
from grader.classroom.marks import Standing
from grader.classroom.statistics import (
    BINS,
    bins,
    hardest,
    mistakes,
    phase_means,
    shared_causes,
    spread,
    unusable_phases,
)
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.model import Report, Visibility
from grader.views.html import as_plain, page
from grader.views.json import from_json

LETTER = {"passed": "p", "failed": "f", "blocked": "b", "not_started": "n", "error": "e"}


def class_page(
    course: Course,
    entries: Sequence[Entry],
    marks: Sequence[Standing],
    keep: str,
    *,
    anonymous: bool = False,
) -> str:
    """Return the page. `entries` has every submission with its report, `marks` what counts of them,
    and `keep` says why.
    """
    entries = current(entries)
    names = {one.learner: one.name for one in marks}
    shown = pseudonyms(names) if anonymous else {id: (id, name) for id, name in names.items()}
    counting = {one.learner: one.entry for one in marks if one.entry}
    unusable = {learner: unusable_phases(entry) for learner, entry in counting.items()}
    graded = [entry for entry in counting.values() if entry.outcome == "graded"]
    titles = _titles([*counting.values()])
    scores = sorted(one.points for one in marks if one.points is not None)
    most = next((one.of for one in marks if one.of is not None), 0)

    def listed(reasons: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
        order = sorted(reasons, key=lambda learner: shown[learner][1].casefold())
        return [
            {"name": shown[learner][1], "why": "" if anonymous else reasons[learner][0]}
            for learner in order
            if reasons[learner]
        ]

    learners = _learners(entries, marks, shown, [*titles], anonymous=anonymous)
    data = {
        "checkpoints": [{"id": id, "title": title} for id, title in titles.items()],
        "phases": _phases(titles),
        "most": most,
        "bins": BINS,
        "learners": [{**row, "unusable": [*unusable.get(id, ())]} for id, row in learners],
    }
    return page(
        "class.html",
        course=course.title,
        data=htmlsafe_json_dumps(data, separators=(",", ":")),
        keep=keep,
        learners=len(names),
        handed_in=len(counting),
        submissions=len(entries),
        mean=fmean(scores) if scores else 0.0,
        most=most,
        spread=spread(scores),
        bins=bins(scores, most),
        phases=phase_means(graded),
        unusable=listed({learner: [*whys.values()] for learner, whys in unusable.items()}),
        shared=listed({learner: shared_causes(entry) for learner, entry in counting.items()}),
        hardest=hardest(graded, titles, unusable),
        mistakes=mistakes(course, graded),
    )


def _titles(counting: Sequence[Entry]) -> dict[str, str]:
    """Return the titles of all checkpoints by id, in the order of the course."""
    titles: dict[str, str] = {}
    for entry in sorted(counting, key=lambda entry: -len(entry.marks)):
        for mark in entry.marks:
            remark = Visibility(mark.visibility).remark
            titles.setdefault(mark.id, mark.title + (f" [{remark}]" if remark else ""))
    return titles


def _phases(ids: Iterable[str]) -> list[dict[str, Any]]:
    counts = Counter(id.partition(".")[0] for id in ids)
    return [{"id": phase, "count": count} for phase, count in counts.items()]


def _learners(
    entries: Sequence[Entry],
    marks: Sequence[Standing],
    shown: Mapping[str, tuple[str, str]],
    ids: Sequence[str],
    *,
    anonymous: bool,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each learner's id, and what the page shows about them, sorted by the ids shown."""
    history: dict[str, list[Entry]] = {}
    for entry in entries:
        history.setdefault(entry.key.learner, []).append(entry)
    for one in sorted(marks, key=lambda one: shown[one.learner]):
        id, name = shown[one.learner]
        nameless = names_in(one.learner, one.name) if anonymous else None
        row = _learner(one, history.get(one.learner, ()), ids, nameless)
        yield one.learner, {"id": id, "name": name, **row}


def _learner(
    mark: Standing, history: Sequence[Entry], ids: Sequence[str], nameless: re.Pattern[str] | None
) -> dict[str, Any]:
    """Return what the page shows about one learner: the entry that counts and the history. If
    `nameless` is given, remove the text it matches.
    """
    entry = mark.entry
    verdicts = {mark.id: LETTER[mark.verdict] for mark in entry.marks} if entry else {}
    return {
        "outcome": entry.outcome if entry else "nothing",
        "message": entry.message if entry and nameless is None else "",
        "score": mark.points,
        "note": mark.note if nameless is None else "",
        "section": mark.section if nameless is None else "",
        "received": entry.submitted if entry and nameless is None else None,
        "late": mark.late,
        "marks": "".join(verdicts.get(id, "-") for id in ids),
        "mistakes": sorted({mark.misconception for mark in entry.marks} - {""}) if entry else [],
        "history": [
            {
                "score": other.score,
                "received": other.submitted if nameless is None else None,
                "late": other.late,
            }
            for other in history
        ],
        "report": _shown(entry.report, nameless) if entry and entry.report else "",
    }


def _shown(text: str, nameless: re.Pattern[str] | None) -> str:
    """Return the compressed report, or an empty text if it cannot be parsed."""
    try:
        return _packed(_report(text, nameless))
    except UsageError:
        return ""


def _report(text: str, nameless: re.Pattern[str] | None) -> Report:
    return (
        from_json(text)
        if nameless is None
        else without_names(from_json(json.dumps(scrubbed(json.loads(text), nameless))))
    )


def _packed(report: Report) -> str:
    """Render the report for the page and compress it."""
    return base64.b64encode(
        gzip.compress(page("learner.html", report=as_plain(report)).encode(), 9, mtime=0)
    ).decode()
