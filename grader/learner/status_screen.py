"""Print the course in the terminal: what is done, and what is next."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console
from rich.text import Text

from grader.curriculum.model import Course, Stage
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
    """Print one line per phase, and what to do next.

    `seen` holds the phases whose solution was shown before they passed.
    """
    print_text(Text(course.title, style="bold"), console)
    listed = [place for place in status.places if place.stage.warm_up or not place.stage.optional]
    width = max((len(place.stage.id) for place in listed), default=0)
    for place in sorted(listed, key=lambda place: not place.stage.warm_up):
        name = Text(f" {place.stage.id:{width}}  ", style="bold")
        title = _title(place)
        if place.stage.id in seen:
            title.append("  solution seen", style="dim")
        print_hanging(Text.assemble("  ", _sign(place, console), name), title, console)
    _print_extras(status, width, console)
    print_next(status, course, console)
    begun = [place.stage for place in status.places if place.state == "begun"]
    if begun:
        words = course.words_for(begun).replace(" ", ", ")
        console.print(Text(f"{_plain_sign('begun', console)} started: {words}"))


def print_next(status: Status, course: Course, console: Console) -> None:
    """Print what to do next, and how to grade phases again that were edited since they passed."""
    console.print()
    for line in _advice(status, course, console):
        head, mark, body = line.partition(": ")
        print_hanging(
            Text(head + mark) if mark else Text(), code_text(body if mark else line), console
        )


def print_bar(places: Collection[Place], console: Console) -> None:
    """Print the whole course on one line: a sign for each phase, and how many pass."""
    phases = [place for place in places if not place.stage.optional]
    done = sum(place.state == "done" for place in phases)
    signs = [
        _sign(place, console).append(place.stage.names[1], style="default") for place in phases
    ]
    print_parts([*signs, Text(f"{done} of {len(phases)} phases pass", style="dim")], console)


def print_after(stage: Stage, course: Course, console: Console) -> None:
    """Print what to look at and which questions to answer after a phase passes."""
    console.print()
    lines = [("see it", stage.see)] if stage.see else []
    if (command := _questions(stage, course)) is not None:
        lines.append(("questions", command))
    for label, command in lines:
        print_hanging(Text(f"{label}: "), code_text(f"`{command}`"), console)


def _questions(stage: Stage, course: Course) -> str | None:
    from grader.learner.quiz.answering import shows_graph
    from grader.learner.quiz.questions import load_quiz

    asked = [question for question in load_quiz(course).questions if question.phase == stage.id]
    if not asked:
        return None
    command = "predict" if any(map(shows_graph, asked)) else "quiz"
    return f"grade {command} {stage.id}"


def _sign(place: Place, console: Console) -> Text:
    return Text(_plain_sign(place.state, console), style=_SIGNS[place.state][2])


def _title(place: Place) -> Text:
    title = Text(place.stage.title).append(f"  {place.score}/{place.stage.points}", style="dim")
    if place.stage.warm_up:
        title.append("  optional, before any code", style="dim")
    return title


def _print_extras(status: Status, width: int, console: Console) -> None:
    extras = [place for place in status.places if place.stage.optional and not place.stage.warm_up]
    if extras:
        names = [
            _sign(each, console).append(f" {each.stage.id}", style="default") for each in extras
        ]
        print_parts(names, console, Text(f"    {'extras':{width}}  ", style="bold"))


def _advice(status: Status, course: Course, console: Console) -> Iterator[str]:
    if all(place.state == "done" for place in status.places if not place.stage.optional):
        yield (
            "Every phase passes. `grade finish` makes your certificate and turns your engine into"
            " a library."
        )
    if status.next is not None:
        yield from _advice_on_next(status)
    elif status.changed:
        yield "Everything passed the last time it was graded."
    else:
        yield "Everything here passes. Well done."
    if status.changed:
        words = course.words_for(status.changed)
        yield (
            f"{_plain_sign('changed', console)} edited since passing: {words.replace(' ', ', ')}."
            f" To check again: `grade {words}`"
        )


def _plain_sign(state: str, console: Console) -> str:
    return _SIGNS[state][0 if has_unicode(console) else 1]


def _advice_on_next(status: Status) -> Iterator[str]:
    assert status.next is not None
    stage = status.next
    yield f"next: {stage.id}, {stage.title} (about {stage.minutes} minutes)"
    if status.trouble:
        yield f"first: {safe(status.trouble)}"
    if status.write:
        yield f"write {safe(str(status.write))}"
    if status.fix:
        yield f"still open: {stage.titles[status.fix]} ({status.fix})"
    if status.at:
        yield f"look at {safe(str(status.at))}"
    yield f"then: `grade {stage.id}`"
    warm_up = next((place.stage for place in status.places if place.stage.warm_up), None)
    if warm_up is not None and all(place.state == "open" for place in status.places):
        yield f"or start with paper and pencil: {warm_up.file}, then `grade {warm_up.id}`"
