"""Everybody's report as a file that Canvas and Moodle take back as feedback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape

from grader.classroom.canvas_moodle import feedback_name
from grader.classroom.marks import Standing
from grader.model import Report, Visibility
from grader.text import safe
from grader.views.html import to_html
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
        heading, found = f"{title}: {one.name}", report_of(one, reveal)
        if found is None:
            yield name, *_without_report(one, heading)
        else:
            yield name, to_html(found, heading), to_markdown(found, heading)


def report_of(one: Standing, reveal: Visibility) -> Report | None:
    """Return a learner's report with the changes to the mark, or None if there is no report."""
    found = one.entry.read_report() if one.entry else None
    return found and replace(found.revealed(reveal), notes=(*mark_notes(one), *found.notes))


def _without_report(one: Standing, heading: str) -> tuple[str, str]:
    """Return a page and Markdown with only the known facts."""
    lines = [safe(line) for line in mark_notes(one)] or ["no report"]
    paragraphs = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    page = (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(heading)}</title>\n<h1>{escape(heading)}</h1>\n{paragraphs}</html>\n"
    )
    return page, "".join(f"    {line}\n" for line in (heading, "", *lines))


def mark_notes(one: Standing) -> Iterator[str]:
    """Yield why there is no grading, the marks by hand, and the mark if it is not just the points
    of the report.
    """
    if one.failure:
        yield one.failure
    yield from map(str, one.by_hand)
    if one.by_hand or one.notes or (one.entry and one.points not in {None, one.entry.score}):
        so_far = " so far" if one.points is None else ""
        points = "none" if one.so_far is None else f"{one.so_far:g} of {one.of:g} points{so_far}"
        yield f"Mark: {points}" + (f" ({'; '.join(one.notes)})" if one.notes else "")
