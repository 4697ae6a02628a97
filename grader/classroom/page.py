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
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from jinja2.utils import htmlsafe_json_dumps

from grader.classroom.anonymous import names_in, pseudonyms, scrubbed, without_names
from grader.classroom.entries import Entry
from grader.classroom.marks import Standing
from grader.classroom.statistics import (
    BINS,
    bins,
    hardest,
    mistakes,
    mistakes_in,
    phase_means,
    spread,
    unusable_phases,
)
from grader.curriculum.model import Course
from grader.model import Visibility
from grader.views.causes import causes
from grader.views.html import as_plain, page
from grader.views.json import from_json, to_json

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
    entries = [one for one in entries if one.counts]
    names = {one.learner: one.name for one in marks}
    shown = pseudonyms(names) if anonymous else {id: (id, name) for id, name in names.items()}
    counting = {one.learner: one.entry for one in marks if one.entry}
    unusable, shared, found, history = {}, {}, {}, defaultdict(list)
    for entry in entries:
        history[entry.key.learner].append(entry)
    for learner, entry in counting.items():
        report = entry.read_report()
        unusable[learner] = unusable_phases(entry, report)
        shared[learner] = causes(report) if report else []
        found[learner] = mistakes_in(course, entry)
    graded = [entry for entry in counting.values() if entry.outcome == "graded"]
    titles = _titles([*counting.values()])
    scores = sorted(one.points for one in marks if one.points is not None)
    most = next((one.of for one in marks if one.of is not None), 0)

    def listed(reasons: Mapping[str, Iterable[str]]) -> list[dict[str, str]]:
        found = [(shown[learner][1], [*whys][:1]) for learner, whys in reasons.items() if whys]
        found.sort(key=lambda one: one[0].casefold())
        return [{"name": name, "why": "" if anonymous else why} for name, (why,) in found]

    phases = Counter(id.partition(".")[0] for id in titles)
    data = {
        "checkpoints": [{"id": id, "title": title} for id, title in titles.items()],
        "phases": [{"id": phase, "count": count} for phase, count in phases.items()],
        "most": most,
        "bins": BINS,
        "learners": [
            {
                **dict(zip(("id", "name"), shown[one.learner])),
                **_learner(one, history[one.learner], [*titles], anonymous=anonymous),
                "unusable": [*unusable.get(one.learner, ())],
                "mistakes": sorted(found.get(one.learner, ())),
            }
            for one in sorted(marks, key=lambda one: shown[one.learner])
        ],
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
        unusable=listed({learner: whys.values() for learner, whys in unusable.items()}),
        shared=listed(shared),
        hardest=hardest(graded, titles, unusable),
        mistakes=mistakes({one.key.learner: found[one.key.learner] for one in graded}, len(graded)),
        unexplained=sum(one.unexplained for one in graded),
    )


def _titles(counting: Sequence[Entry]) -> dict[str, str]:
    """Return the titles of all checkpoints by id, in the order of the course."""
    titles: dict[str, str] = {}
    for entry in sorted(counting, key=lambda entry: -len(entry.marks)):
        for mark in entry.marks:
            remark = Visibility(mark.visibility).remark
            titles.setdefault(mark.id, mark.title + (f" [{remark}]" if remark else ""))
    return titles


def _learner(
    mark: Standing, history: Sequence[Entry], ids: Sequence[str], *, anonymous: bool
) -> dict[str, Any]:
    """Return one learner's part of the page: the entry that counts and the history."""
    nameless = names_in(mark.learner, mark.name) if anonymous else None
    entry = mark.entry
    verdicts = {mark.id: LETTER[mark.verdict] for mark in entry.marks} if entry else {}
    row = {
        "outcome": entry.outcome if entry else "nothing",
        "message": entry.message if entry else "",
        "score": mark.points,
        "note": mark.note,
        "section": mark.section,
        "received": entry.submitted if entry else None,
        "late": mark.late,
        "marks": "".join(verdicts.get(id, "-") for id in ids),
        "history": [
            {
                "score": other.score,
                "received": None if anonymous else other.submitted,
                "late": other.late,
            }
            for other in history
        ],
        "report": _report(entry, nameless) if entry and entry.report else "",
    }
    hidden = {"message": "", "note": "", "section": "", "received": None}
    return row | hidden if anonymous else row


def _report(entry: Entry, nameless: re.Pattern[str] | None) -> str:
    """Return the compressed report, without the text that `nameless` matches; an empty text if it
    cannot be parsed.
    """
    report = entry.read_report()
    if report and nameless is not None:
        text = json.dumps(scrubbed(json.loads(to_json(report)), nameless))
        report = without_names(from_json(text))
    if report is None:
        return ""
    shown = page("learner.html", report=as_plain(report)).encode()
    return base64.b64encode(gzip.compress(shown, 9, mtime=0)).decode()
