"""One page about a class: a heat map of learners and checkpoints, what is hardest, mistakes by
count, and everybody's report.

The reports lie in the page compressed, and are unpacked by the browser when they are asked for: a
thousand fit into one file.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    return page(
        "class.html",
        course=course.title,
        data=_script(data),
        keep=keep,
        learners=len(names),
        handed_in=len(counting),
        submissions=len(entries),
        mean=sum(entry.score for entry in graded) / len(graded) if graded else 0.0,
        most=max((entry.max_score for entry in graded), default=0),
        hardest=_hardest(graded, titles),
        mistakes=_mistakes(course, graded),
    )


def _told(mark: Mark) -> str:
    told = Visibility(mark.visibility).told
    return f" [{told}]" if told else ""


def _pseudonyms(names: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """A number for everybody, in an order that says nothing of their names."""
    order = sorted(names, key=lambda learner: hashlib.sha256(learner.encode()).digest())
    return {learner: (f"{number}", f"learner {number}") for number, learner in enumerate(order, 1)}


def _words(learner: str, name: str) -> re.Pattern[str]:
    """What somebody is known by: the id and the name, in parts and in one."""
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
    """What the page knows of one learner: the entry that counts, and what came before; without what
    is found by `nameless`, if that is given.
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
        "history": [
            {"score": other.score, "received": other.received, "late": other.late}
            for other in history
        ],
        "report": _shown(entry.report, nameless) if entry and entry.report else "",
    }


def _shown(text: str, nameless: re.Pattern[str] | None) -> str:
    """The report, compressed; nothing for one that cannot be understood, which is no reason to show
    nobody's.
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
    """The document, where the words are in none of its texts: code that raises has been seen to say
    whose it is.
    """
    if isinstance(value, dict):
        return {
            key: inner if key in _OURS else _scrubbed(inner, words) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_scrubbed(inner, words) for inner in value]
    return words.sub("…", value) if isinstance(value, str) else value


def _packed(report: Report) -> str:
    """The report as the page shows it, compressed."""
    return base64.b64encode(
        gzip.compress(page("learner.html", report=as_plain(report)).encode(), 9, mtime=0)
    ).decode()


def _without_names(report: Report) -> Report:
    """Without paths, which have names in them, and without what the learner's code printed."""
    phases = tuple(
        replace(phase, checkpoints=tuple(map(_nameless, phase.checkpoints)))
        for phase in report.phases
    )
    return replace(report, origin="a submission", phases=phases, notes=())


def _nameless(result: CheckResult) -> CheckResult:
    frames = tuple(
        Frame(re.sub(r".*[/\\]", "", frame.file), frame.line, frame.function, frame.source)
        for frame in result.frames
    )
    return replace(result, frames=frames, output="")


def _hardest(graded: Sequence[Entry], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """The checkpoints that most fail, of those that some have tried."""
    tried: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for entry in graded:
        for mark in entry.marks:
            if not mark.bonus and mark.verdict in {"passed", "failed"}:
                tried[mark.id] += 1
                passed[mark.id] += mark.verdict == "passed"
    order = sorted(
        (id for id in tried if passed[id] < tried[id]),
        key=lambda name: (passed[name] / tried[name], -tried[name], name),
    )
    return [
        {"id": id, "title": titles[id], "count": passed[id], "of": tried[id], "kind": ""}
        for id in order[:HARDEST]
    ]


def _mistakes(course: Course, graded: Sequence[Entry]) -> list[dict[str, Any]]:
    """Known mistakes, by how many learners make them."""
    known = {faulty.id: faulty.title for stage in course.stages for faulty in stage.faulty}
    makers = Counter(
        id
        for entry in graded
        for id in {mark.misconception for mark in entry.marks if mark.misconception}
    )
    return [
        {"id": id, "title": known.get(id, id), "count": count, "of": len(graded), "kind": "wrong"}
        for id, count in makers.most_common()
    ]


def _script(data: object) -> str:
    """JSON that can stand in a script element: no tag in it can end that."""
    return (
        json.dumps(data, ensure_ascii=True, separators=(",", ":"))
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
    )
