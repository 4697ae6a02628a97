"""A page about a class: a heat map of learners and checkpoints, the hardest checkpoints, the most
common mistakes, and every report.

Reports are stored in the page in compressed form, and the browser unpacks them when they are
opened, so a thousand fit into one file.
"""

from __future__ import annotations

import base64
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from statistics import fmean, median
from typing import Any

from jinja2.utils import htmlsafe_json_dumps

from grader.classroom.anonymous import without_names
from grader.classroom.entries import Entry
from grader.classroom.feedback import mark_notes
from grader.classroom.journal import Comment, described
from grader.classroom.marks import Standing
from grader.classroom.similar import Comparison
from grader.classroom.statistics import (
    BINS,
    bins,
    day_of,
    hardest,
    means_by_hand,
    mistakes,
    mistakes_in,
    periods,
    phase_means,
    section_means,
    unusable_phases,
)
from grader.curriculum.model import Course
from grader.model import Visibility
from grader.text import joined, safe
from grader.views.causes import causes
from grader.views.html import as_plain, page


def class_page(  # noqa: PLR0913 - keyword arguments
    course: Course,
    entries: Sequence[Entry],
    marks: Sequence[Standing],
    keep: str,
    *,
    journal: Sequence[Comment] = (),
    alike: Comparison | None = None,
    anonymous: bool = False,
) -> str:
    """Return the page. `entries` holds every submission with its report, `marks` the ones that
    count, and `keep` the reason. An anonymous page leaves out the `journal` and the `alike`
    submissions.
    """
    entries = [one for one in entries if one.counts]
    if anonymous:
        entries, marks = without_names(entries, marks)
        journal, alike = (), None
    names = {one.learner: one.name for one in marks}
    history = _histories(entries, journal)
    counting = {one.learner: one.entry for one in marks if one.entry}
    unusable, shared, found = {}, {}, {}
    for learner, entry in counting.items():  # only one report is in memory at a time
        report = entry.read_report()
        unusable[learner] = unusable_phases(entry, report)
        shared[learner] = causes(report) if report else []
        found[learner] = mistakes_in(course, entry)
    graded = [entry for entry in counting.values() if entry.outcome == "graded"]
    titles = _titles([*counting.values()])
    scores = sorted(one.so_far for one in marks if one.so_far is not None)
    most = next((one.of for one in marks if one.of is not None), 0)
    means, by_hand = phase_means(graded), means_by_hand(marks)
    groups = [*_groups(alike, names)] if alike else []
    learners = [
        {
            **_learner(one, history[one.learner], [*titles]),
            "unusable": [*unusable.get(one.learner, ())],
            "mistakes": sorted(found.get(one.learner, ())),
            "groups": [group["id"] for group in groups if one.learner in group["learners"]],
        }
        for one in marks
    ]
    listed = partial(_listed, names=names, anonymous=anonymous)
    return page(
        "class.html",
        course=course.title,
        data=_data(
            learners,
            titles,
            groups,
            most=most,
            items=[row["id"] for row in by_hand],
            possible={phase["id"]: phase["of"] for phase in means},
        ),
        keep=keep,
        learners=len(names),
        handed_in=len(counting),
        submissions=len({(one.origin, one.key.sha256) for one in entries}),  # partners share one
        mean=fmean(scores) if scores else 0.0,
        most=most,
        scores=scores,
        median=median(scores) if scores else 0.0,
        bins=bins(scores, most),
        phases=means,
        by_hand=by_hand,
        sections=section_means(marks),
        periods=periods([*counting.values()]),
        groups=groups,
        unusable=listed({learner: whys.values() for learner, whys in unusable.items()}),
        shared=listed(shared),
        hardest=hardest(graded, titles, unusable),
        mistakes=mistakes({one.key.learner: found[one.key.learner] for one in graded}, len(graded)),
        unexplained=sum(one.unexplained for one in graded),
    )


def _histories(
    entries: Sequence[Entry], journal: Sequence[Comment]
) -> Mapping[str, list[dict[str, Any]]]:
    """Return every learner's submissions, and changes by hand."""
    history: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        what = safe(entry.message) or f"{entry.score:g} of {entry.max_score:g} points"
        history[entry.key.learner].append(
            {
                "what": f"handed in: {what}",
                "score": entry.score,
                "when": entry.submitted,
                "late": entry.late,
            }
        )
    for line, text in described(journal):
        what = f"{line.number}: {safe(text)}"
        history[line.learner].append({"when": line.written, "what": what, "who": line.who})
    return history


def _listed(
    reasons: Mapping[str, Iterable[str]], names: Mapping[str, str], *, anonymous: bool
) -> list[dict[str, str]]:
    """Return the learners who have reasons, by name, with the first reason of each."""
    found = sorted(
        ((names[learner], [*whys][:1]) for learner, whys in reasons.items() if whys),
        key=lambda one: one[0].casefold(),
    )
    return [{"name": name, "why": "" if anonymous else why} for name, (why,) in found]


def _data(
    learners: Sequence[dict[str, Any]],
    titles: Mapping[str, str],
    groups: Sequence[dict[str, Any]],
    **totals: Any,
) -> str:
    """Return the data of the page's script, as JSON. It takes the code out of the groups."""
    phases = Counter(id.partition(".")[0] for id in titles)
    return htmlsafe_json_dumps(
        {
            "checkpoints": [{"id": id, "title": title} for id, title in titles.items()],
            "phases": [{"id": phase, "count": count} for phase, count in phases.items()],
            "bins": BINS,
            "pairs": [pair.pop("code") for group in groups for pair in group["pairs"]],
            "learners": learners,
            **totals,
        },
        separators=(",", ":"),
    )


def _groups(alike: Comparison, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the groups of submissions with code in common, each next to the first of its group."""
    numbers = count()
    for place, group in enumerate(alike.groups()):
        told = [" and ".join(names[id] for id in alike.learners[one]) for one in group.members]
        pairs = []
        for one, name in zip(group.members[1:], told[1:]):
            both, rows = (told[0], name), alike.side_by_side(group.members[0], one)
            pairs.append(
                {
                    "id": next(numbers),
                    "names": joined(both),
                    "code": _packed(page("pair.html", names=both, rows=rows)),
                }
            )
        yield {
            "id": place,
            "names": joined(told),
            "how": group.how,
            "pairs": pairs,
            "learners": {id for one in group.members for id in alike.learners[one]},
        }


def _titles(counting: Sequence[Entry]) -> dict[str, str]:
    """Return the titles of all checkpoints by id, in the order of the course."""
    remarks = {each.value: f" [{each.remark}]" if each.remark else "" for each in Visibility}
    return {
        mark.id: mark.title + remarks[mark.visibility]
        for entry in sorted(counting, key=lambda entry: -len(entry.marks))
        for mark in entry.marks
    }


def _learner(
    mark: Standing, history: Sequence[dict[str, Any]], ids: Sequence[str]
) -> dict[str, Any]:
    """Return one learner's part of the page: the entry that counts, and the history."""
    entry, earned = mark.entry, mark.earned
    report = entry.read_report() if entry else None
    verdicts = {mark.id: mark.verdict[0] for mark in entry.marks} if entry else {}
    return {
        "id": mark.learner,
        "name": mark.name,
        "section": mark.person.section,
        "outcome": entry.outcome if entry else "nothing",
        "message": entry.message if entry else "",
        "score": mark.so_far,
        "complete": mark.points is not None,
        "missing": mark.missing,
        "items": [one.points for one in mark.by_hand],
        "changed": bool(mark.notes),
        "notes": [*mark_notes(mark)],
        "late": mark.late,
        "day": day_of(entry) if entry else "",
        "received": entry.submitted if entry else None,
        "marks": "".join(verdicts.get(id, "-") for id in ids),
        "phases": {phase: earned.get(phase) for phase in entry.possible} if entry else {},
        "history": sorted(history, key=lambda one: one["when"] or 0),
        "report": _packed(page("learner.html", report=as_plain(report))) if report else "",
    }


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
