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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from random import SystemRandom
from statistics import fmean, quantiles
from typing import Any

from grader.classroom.gradebook import Entry, Mark, current
from grader.classroom.marks import Standing
from grader.curriculum.model import Course
from grader.errors import UsageError
from grader.model import CheckResult, Frame, Report, Visibility
from grader.views.html import as_plain, page
from grader.views.json import from_json

LETTER = {"passed": "p", "failed": "f", "blocked": "b", "not_started": "n", "error": "e"}
HARDEST = 24
BINS = 10
# no word of the learner's is in these
_OURS = {"id", "title", "verdict", "kind", "visibility", "grader", "points"}


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
    counting = {one.learner: one.entry for one in marks if one.entry}
    standing = {one.learner: one for one in marks}
    shown = (
        _pseudonyms(names)
        if anonymous
        else {learner: (learner, name) for learner, name in names.items()}
    )
    ids = list(
        dict.fromkeys(
            mark.id
            for entry in sorted(counting.values(), key=lambda entry: -len(entry.marks))
            for mark in entry.marks
        )
    )
    titles = {
        mark.id: mark.title + _told(mark) for entry in counting.values() for mark in entry.marks
    }
    unusable = {learner: _unusable(entry) for learner, entry in counting.items()}
    history: dict[str, list[Entry]] = {}
    for entry in entries:
        history.setdefault(entry.key.learner, []).append(entry)
    learners = [
        {
            "id": shown[learner][0],
            "name": shown[learner][1],
            **_learner(
                standing[learner],
                history.get(learner, ()),
                ids,
                _words(learner, names[learner]) if anonymous else None,
            ),
            "unusable": bool(unusable.get(learner)),
        }
        for learner in sorted(names, key=lambda learner: shown[learner])
    ]
    data = {
        "checkpoints": [{"id": id, "title": titles[id]} for id in ids],
        "phases": [
            {"id": phase, "count": count}
            for phase, count in Counter(id.partition(".")[0] for id in ids).items()
        ],
        "learners": learners,
    }
    graded = [entry for entry in counting.values() if entry.outcome == "graded"]
    scores = sorted(one.points for one in marks if one.points is not None)
    most = next((one.of for one in marks if one.of is not None), 0)
    useless = [
        {"name": shown[learner][1], "why": "" if anonymous else next(iter(whys.values()))}
        for learner, whys in unusable.items()
        if whys
    ]
    return page(
        "class.html",
        course=course.title,
        data=_script(data),
        keep=keep,
        learners=len(names),
        handed_in=len(counting),
        submissions=len(entries),
        mean=fmean(scores) if scores else 0.0,
        most=most,
        spread=_spread(scores),
        bins=_bins(scores, most),
        phases=_phase_means(graded),
        unusable=sorted(useless, key=lambda one: one["name"].casefold()),
        hardest=_hardest(graded, titles, unusable),
        mistakes=_mistakes(course, graded),
    )


def _told(mark: Mark) -> str:
    told = Visibility(mark.visibility).told
    return f" [{told}]" if told else ""


def _pseudonyms(names: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return a number for everybody, drawn by chance."""
    order = SystemRandom().sample(sorted(names), len(names))
    return {learner: (f"{number}", f"learner {number}") for number, learner in enumerate(order, 1)}


def _words(learner: str, name: str) -> re.Pattern[str]:
    """Return a pattern that matches a learner's id and name, whole, in parts, or joined into one
    word.
    """
    parts = [
        part
        for part in (
            learner,
            name,
            *re.split(r"[\W_]+", f"{name} {learner}"),
            *("".join(re.findall(r"\w+", text)) for text in (name, learner)),
        )
        if len(part) > 1
    ]
    return re.compile(
        "|".join(
            rf"(?<![^\W_]){re.escape(part)}(?![^\W_])"
            for part in sorted({*parts, learner}, key=len, reverse=True)
        ),
        re.IGNORECASE,
    )


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
        "late": mark.late,
        "marks": "".join(verdicts.get(id, "-") for id in ids),
        "mistakes": sorted({mark.misconception for mark in entry.marks} - {""}) if entry else [],
        "history": [
            {"score": other.score, "received": other.received, "late": other.late}
            for other in history
        ],
        "report": _shown(entry.report, nameless) if entry and entry.report else "",
    }


def _shown(text: str, nameless: re.Pattern[str] | None) -> str:
    """Return the compressed report, or an empty text if it cannot be parsed: one bad report should
    not break the whole page.
    """
    try:
        return _packed(_report(text, nameless))
    except UsageError:
        return ""


def _report(text: str, nameless: re.Pattern[str] | None) -> Report:
    return (
        from_json(text)
        if nameless is None
        else _without_names(from_json(json.dumps(_scrubbed(json.loads(text), nameless))))
    )


def _scrubbed(value: Any, words: re.Pattern[str]) -> Any:
    """Remove the learner's names from every text of the document: an exception's message may
    contain them.
    """
    if isinstance(value, dict):
        return {
            key: inner if key in _OURS else _scrubbed(inner, words) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_scrubbed(inner, words) for inner in value]
    return words.sub("…", value) if isinstance(value, str) else value


def _packed(report: Report) -> str:
    """Render the report for the page and compress it."""
    return base64.b64encode(
        gzip.compress(page("learner.html", report=as_plain(report)).encode(), 9, mtime=0)
    ).decode()


def _without_names(report: Report) -> Report:
    """Remove paths, which may contain names, and what the learner's code printed."""
    phases = tuple(
        replace(phase, checkpoints=tuple(map(_nameless, phase.checkpoints)))
        for phase in report.phases
    )
    return replace(report, origin="a submission", phases=phases, notes=())


def _nameless(result: CheckResult) -> CheckResult:
    frames = tuple(map(_without_folder, result.frames))
    where = _without_folder(result.where) if result.where is not None else None
    return replace(result, frames=frames, where=where, output="")


def _without_folder(frame: Frame) -> Frame:
    return replace(frame, file=re.sub(r".*[/\\]", "", frame.file))


def _unusable(entry: Entry) -> dict[str, str]:
    """Return the phases for which the file cannot be used at all, with the reason: it cannot be
    read, or every checkpoint fails in the same way.
    """
    if entry.outcome == "refused":
        return {"": entry.message}
    found = {}
    with suppress(ValueError, KeyError, TypeError):
        for phase in json.loads(entry.report)["phases"]:
            results = phase["checkpoints"]
            whys = {(result["verdict"], result["message"]) for result in results}
            if len(results) > 1 and len(whys) == 1:
                ((verdict, why),) = whys
                if verdict == "failed":
                    found[str(phase["id"])] = str(why)
    return found


def _spread(scores: Sequence[float]) -> dict[str, float]:
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


def _bins(scores: Sequence[float], most: float) -> list[dict[str, Any]]:
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


def _phase_means(graded: Sequence[Entry]) -> list[dict[str, Any]]:
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


def _hardest(
    graded: Sequence[Entry], titles: Mapping[str, str], unusable: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]]:
    """Return the checkpoints that fail most, of those that some have tried. Files that cannot be
    used do not count.
    """
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


def _mistakes(course: Course, graded: Sequence[Entry]) -> list[dict[str, Any]]:
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


def _script(data: object) -> str:
    """Return JSON for a script element, with escapes so that no tag inside can end the element."""
    return (
        json.dumps(data, ensure_ascii=True, separators=(",", ":"))
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
    )
