"""The course as a path in the terminal: done, current, next."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console
from rich.text import Text

from grader.curriculum.model import Course
from grader.learner.status import Place, Status
from grader.text import safe
from grader.views.console import code_text, has_unicode, print_hanging, print_parts, print_text

_SIGNS = {
    "done": ("✓", "+", "green"),
    "changed": ("~", "~", "yellow"),
    "begun": ("▸", ">", "default"),
    "open": ("·", ".", "dim"),
}


def print_status(
    status: Status, course: Course, console: Console, seen: Collection[str] = ()
) -> None:
    """One line a phase, and what to do next. `seen` are phases whose solution was shown before they
    passed.
    """
    print_text(Text(course.title, style="bold"), console)
    width = max(
        (
            len(place.stage.id)
            for place in status.places
            if not place.stage.optional or place.stage.warm_up
        ),
        default=0,
    )
    for place in sorted(status.places, key=lambda place: not place.stage.warm_up):
        if place.stage.warm_up or not place.stage.optional:
            head = (
                Text("  ")
                .append_text(_sign(place, console))
                .append(f" {place.stage.id:{width}}  ", style="bold")
            )
            told = _told(place)
            print_hanging(
                head,
                told.append("  solution seen", style="dim") if place.stage.id in seen else told,
                console,
            )
    _print_extras(status, width, console)
    print_next(status, course, console)


def print_next(status: Status, course: Course, console: Console) -> None:
    """What to do next, and what has changed since it passed."""
    console.print()
    for line in _advice(status, course):
        head, mark, body = line.partition(": ")
        print_hanging(
            Text(head + mark) if mark else Text(), code_text(body if mark else line), console
        )


def _sign(place: Place, console: Console) -> Text:
    unicode, plain, colour = _SIGNS[place.state]
    return Text(unicode if has_unicode(console) else plain, style=colour)


def _told(place: Place) -> Text:
    told = Text(place.stage.title).append(f"  {place.score}/{place.stage.points}", style="dim")
    return told.append("  optional, before any code", style="dim") if place.stage.warm_up else told


def _print_extras(status: Status, width: int, console: Console) -> None:
    extras = [place for place in status.places if place.stage.optional and not place.stage.warm_up]
    told = [_sign(place, console).append(f" {place.stage.id}", style="default") for place in extras]
    if extras:
        print_parts(told, console, Text(f"    {'extras':{width}}  ", style="bold"))


def _advice(status: Status, course: Course) -> Iterator[str]:
    if all(place.state == "done" for place in status.places if not place.stage.optional):
        yield (
            "every phase passes: `grade finish` makes your certificate, and a library of your"
            " engine"
        )
    if status.next is None:
        yield (
            "Everything here passed before."
            if status.changed
            else "Everything here passes. Well done."
        )
    else:
        yield from _advice_on_next(status)
    if status.changed:
        words = course.words_for(status.changed)
        yield (
            f"~ changed since they passed: {words.replace(' ', ', ')}; `grade {words}` checks again"
        )


def _advice_on_next(status: Status) -> Iterator[str]:
    assert status.next is not None
    stage = status.next
    yield f"next: {stage.id}, {stage.title} (about {stage.minutes} minutes)"
    if status.trouble:
        yield f"first: {safe(status.trouble)}"
    if status.write:
        yield f"write {safe(status.write)}"
    place = next(place for place in status.places if place.stage is stage)
    if place.open in stage.titles and not status.write:
        yield f"still open: {stage.titles[place.open]} ({place.open})"
    yield f"then: `grade {stage.id}`"
    warm_up = next((place.stage for place in status.places if place.stage.warm_up), None)
    if warm_up is not None and all(place.state == "open" for place in status.places):
        yield f"or first with paper and pencil: {warm_up.file}, then `grade {warm_up.id}`"
