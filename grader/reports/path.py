"""The course as a path in the terminal: done, current, next."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from grader.reports.styled import code_text, has_unicode
from grader.reports.text import safe
from grader.status import Place, Status

_SIGNS = {"done": ("✓", "+", "green"), "changed": ("~", "~", "yellow"), "begun": ("▸", ">", "default"), "open": ("·", ".", "dim")}
_TOLD = {"changed": "passed before, changed since"}


def print_status(status: Status, title: str, console: Console) -> None:
    """One line a phase, and what to do next."""
    console.print(Text(title, style="bold"))
    for place in status.places:
        if not place.stage.optional:
            console.print(_line(place, console))
    extras = [place for place in status.places if place.stage.optional]
    if extras:
        done = sum(place.state == "done" for place in extras)
        console.print(Text(f"  extras  {done} of {len(extras)}: {', '.join(place.stage.id for place in extras)}", style="dim"))
    console.print()
    for line in _advice(status):
        console.print(code_text(line))


def _line(place: Place, console: Console) -> Text:
    unicode, plain, colour = _SIGNS[place.state]
    line = Text(f"  {unicode if has_unicode(console) else plain} ", style=colour)
    line.append(f"{place.stage.id}  ", style="bold")
    line.append(place.stage.title)
    line.append(f"  {place.score}/{place.stage.points}", style="dim")
    if place.state in _TOLD:
        line.append(f"  {_TOLD[place.state]}", style="yellow")
    return line


def _advice(status: Status) -> list[str]:
    if status.next is None:
        return ["Everything here passes. Well done."]
    lines = [f"next: {status.next.id}, {status.next.title} (about {status.next.minutes} minutes)"]
    if status.trouble:
        lines.append(f"first: {safe(status.trouble)}")
    if status.write:
        lines.append(f"write {safe(status.write)}")
    place = next(place for place in status.places if place.stage is status.next)
    if place.open and not status.write:
        lines.append(f"still open: {place.open}")
    lines.append(f"then: grade {status.next.id}")
    return lines
