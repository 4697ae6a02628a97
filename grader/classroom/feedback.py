"""Everybody's report as a file that Canvas and Moodle take back as feedback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.classroom.layout import feedback_name
from grader.classroom.marks import Standing
from grader.errors import UsageError
from grader.model import Isolation, Report, Visibility
from grader.views.html import to_html
from grader.views.json import from_json
from grader.views.markdown import to_markdown


def feedback(
    marks: Sequence[Standing], title: str, reveal: Visibility
) -> Iterator[tuple[str, str, str]]:
    """Yield a name without its ending, a page and its Markdown, for everybody who handed in."""
    taken: set[str] = set()
    for one in marks:
        if one.entry is None:
            continue
        own = re.sub(r"[^\w.@-]+", "-", one.learner).lstrip(".") or "learner"
        name = next(
            name
            for name in (feedback_name(one.entry.origin), own, *(f"{own}-{n}" for n in range(9999)))
            if name and name.casefold() not in taken
        )
        taken.add(name.casefold())
        found = report_of(one, reveal)
        heading = f"{title}: {one.name}"
        yield name, to_html(found, heading), to_markdown(found, heading)


def report_of(one: Standing, reveal: Visibility) -> Report:
    """Return a learner's report, with the mark and its reasons at the head of its notes."""
    empty = Report("", None, Isolation(0), one.learner, "", ())
    found = empty
    if one.entry and one.entry.outcome == "graded":
        try:
            found = from_json(one.entry.report).revealed(reveal)
        except UsageError:
            found = empty
    return replace(found, notes=(*mark_notes(one), *found.notes))


def mark_notes(one: Standing) -> Iterator[str]:
    """Yield why there is no grading, and the mark if it is not just the points of the report."""
    if one.reason:
        yield one.reason
    if one.notes or (one.entry and one.points not in {None, one.entry.score}):
        points = "none" if one.points is None else f"{one.points:g} of {one.of:g} points"
        yield f"Mark: {points}" + (f" ({one.note})" if one.note else "")
