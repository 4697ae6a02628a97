"""Take the names out of a page about a class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom
from typing import Any

from grader.model import CheckResult, Frame, Report

# these hold nothing that the learner wrote
_OURS = {"id", "title", "verdict", "kind", "visibility", "grader", "points"}


def pseudonyms(names: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return a random number for everybody."""
    order = SystemRandom().sample(sorted(names), len(names))
    return {learner: (f"{number}", f"learner {number}") for number, learner in enumerate(order, 1)}


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


def scrubbed(value: Any, words: re.Pattern[str]) -> Any:
    """Remove the learner's names from every text of a document, such as an exception's message."""
    if isinstance(value, dict):
        return {
            key: inner if key in _OURS else scrubbed(inner, words) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [scrubbed(inner, words) for inner in value]
    return words.sub("…", value) if isinstance(value, str) else value


def without_names(report: Report) -> Report:
    """Remove paths, which may contain names, and what the learner's code printed."""
    return replace(report.mapped(_nameless), origin="a submission", notes=())


def _nameless(result: CheckResult) -> CheckResult:
    frames = tuple(map(_without_folder, result.frames))
    where = _without_folder(result.where) if result.where is not None else None
    return replace(result, frames=frames, where=where, output="")


def _without_folder(frame: Frame) -> Frame:
    return replace(frame, file=re.sub(r".*[/\\]", "", frame.file))
