"""Take the names out of a page about a class."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from random import SystemRandom
from typing import Any

from grader.classroom.entries import Entry
from grader.classroom.marks import Standing
from grader.classroom.roster import NOBODY
from grader.classroom.times import LATE, UNKNOWN

# these hold nothing that the learner wrote
_OURS = {"id", "title", "verdict", "kind", "visibility", "grader", "points"}
_INSTEAD: dict[str, Any] = {"origin": "a submission", "notes": [], "output": ""}


def without_names(
    entries: Sequence[Entry], marks: Sequence[Standing]
) -> tuple[list[Entry], list[Standing]]:
    """Return entries and marks under random numbers, without anything that could identify a
    learner: names, times, sections, comments, and the paths and output in reports.
    """
    order = SystemRandom().sample(range(1, len(marks) + 1), len(marks))
    numbers = {one.learner: f"{number}" for one, number in zip(marks, order)}
    words = {one.learner: names_in(one.learner, one.name) for one in marks}
    found = [
        _nameless(replace(one, report=""), numbers[one.key.learner], words[one.key.learner])
        for one in entries
    ]
    shown = [
        replace(
            one,
            learner=numbers[one.learner],
            name=f"learner {numbers[one.learner]}",
            entry=one.entry and _nameless(one.entry, numbers[one.learner], words[one.learner]),
            notes=("…",) * len(one.notes),
            person=NOBODY,
            by_hand=tuple(replace(mark, text="") for mark in one.by_hand),
        )
        for one in marks
    ]
    return found, sorted(shown, key=lambda one: one.learner)


def _nameless(entry: Entry, learner: str, words: re.Pattern[str]) -> Entry:
    """Return an entry of this learner without its time, its message, and these words."""
    document = entry.report and json.dumps(_scrubbed(json.loads(entry.report), words))
    key, timing = entry.key._replace(learner=learner), LATE if entry.late else UNKNOWN
    return replace(entry, key=key, timing=timing, message="", report=document)


def names_in(learner: str, name: str) -> re.Pattern[str]:
    """Return a pattern for a learner's id and name: whole, in parts, or joined into one word."""
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


def _scrubbed(value: Any, words: re.Pattern[str], key: str = "") -> Any:
    """Remove the learner's names from every text of a document, such as an exception's message, and
    its paths and output.
    """
    if key in _OURS:
        return value
    if key in _INSTEAD:
        return _INSTEAD[key]
    if isinstance(value, dict):
        return {name: _scrubbed(inner, words, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_scrubbed(inner, words) for inner in value]
    if key == "file":
        value = re.sub(r".*[/\\]", "", value)
    return words.sub("…", value) if isinstance(value, str) else value
