"""Print the course in the terminal: what is done, and what is next."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rich.console import Console
from rich.text import Text

from grader.curriculum.model import Course, Stage
from grader.curriculum.select import shortest_words
from grader.learner.status import Place, Status
from grader.text import safe
from grader.views.console import print_commands, print_hanging, print_parts, print_text, sign_text

_SIGNS = {
    "done": ("✓", "+", "green"),
    "changed": ("~", "~", "yellow"),
    "begun": ("▸", ">", "default"),
    "open": ("·", ".", "dim"),
}
COLUMN, WIDE = 33, 80  # where points begin after the title, in a terminal this wide
_WORDS = {"done": "passed", "changed": "edited since", "begun": "started", "open": "waiting"}


def print_status(
    status: Status, course: Course, console: Console, seen: Collection[str] = ()
) -> None:
    """Print one line per phase, and what to do next.

    `seen` holds the phases whose solution was shown before they passed.
    """
    print_text(Text(course.title, style="bold"), console)
    warm_ups = [place for place in status.places if place.stage.warm_up]
    listed = [*warm_ups, *(place for place in status.places if not place.stage.optional)]
    remarks = {place.stage.id: "optional, before any code" for place in warm_ups}
    remarks |= dict.fromkeys(seen, "solution seen")
    width = _print_places(listed, remarks, console)
    extras = [place for place in status.places if place.stage.optional and place not in warm_ups]
    if extras:
        names = [_sign(place, console, f" {place.stage.id}") for place in extras]
        print_parts(names, console, Text(f"    {'extras':{width}}  ", style="bold"))
    console.print()
    print_commands(advice(status, course, console), console)


def print_list(places: Collection[Place], course: Course, console: Console) -> None:
    """Print one line per phase, extras included, with the points and the state."""
    print_text(Text(course.title, style="bold"), console)
    listed = sorted(places, key=lambda place: (not place.stage.warm_up, place.stage.optional))
    _print_places(listed, {place.stage.id: _WORDS[place.state] for place in places}, console)
    print_bar(places, console)


def _print_places(places: Collection[Place], remarks: Mapping[str, str], console: Console) -> int:
    """Print one line per phase, with a remark after its points. Return the width of the names."""
    width = max((len(place.stage.id) for place in places), default=0)
    column = COLUMN if console.width >= WIDE else 0
    for place in places:
        stage = place.stage
        name, points = f"{stage.title:{column}}", f"  {place.score}/{stage.points}"
        title = Text.assemble(name, (f"{points:7}" if len(name) == column else points, "dim"))
        title.append(f"  {remarks.get(stage.id, '')}", style="dim")
        title.rstrip()
        head = Text.assemble("  ", _sign(place, console, ""), (f" {stage.id:{width}}  ", "bold"))
        print_hanging(head, title, console)
    return width


def print_bar(places: Collection[Place], console: Console) -> None:
    """Print the whole course on one line: a sign for each phase, and how many pass."""
    phases = [place for place in places if not place.stage.optional]
    done = sum(place.state == "done" for place in phases)
    signs = [_sign(place, console, place.stage.names[1]) for place in phases]
    print_parts([*signs, Text(f"{done} of {len(phases)} phases pass", style="dim")], console)


def after(stage: Stage, course: Course) -> list[tuple[str, str]]:
    """Return the commands for a phase that passes, each with a label: to see its result, and for
    its questions.
    """
    from grader.learner.quiz.answering import shows_graph
    from grader.learner.quiz.questions import load_quiz

    lines = [("see it", f"`{stage.see}`")] if stage.see else []
    asked = [question for question in load_quiz(course).questions if question.phase == stage.id]
    if asked:
        command = "predict" if any(map(shows_graph, asked)) else "quiz"
        lines.append(("questions", f"`grade {command} {stage.id}`"))
    return lines


def _sign(place: Place, console: Console, after: str) -> Text:
    """Return the sign of a phase, and a text after it."""
    return Text.assemble(sign_text(_SIGNS[place.state], console), after)


def advice(status: Status, course: Course, console: Console) -> Iterator[tuple[str, str]]:
    """Yield what to do next, each after its label, and how to grade phases again after an edit."""
    if all(place.state == "done" for place in status.places if not place.stage.optional):
        yield (
            "",
            (
                "Every phase passes. `grade finish` makes your certificate and turns your engine"
                " into a library."
            ),
        )
    changed = [place.stage for place in status.places if place.state == "changed"]
    if status.next is not None:
        yield from _advice_on_next(status, status.next, course)
    if changed:
        words = shortest_words(course.stages, changed)
        sign = sign_text(_SIGNS["changed"], console)
        named = words.replace(" ", ", ")
        yield f"{sign} edited since passing", f"{named}. To check again: `grade {words}`"


def _advice_on_next(status: Status, stage: Stage, course: Course) -> Iterator[tuple[str, str]]:
    yield "next", f"{stage.id}, {stage.title} (about {stage.minutes} minutes)"
    if status.trouble:
        yield "first", safe(status.trouble)
    if status.fix:
        title = course.stage_of(status.fix).titles[status.fix]
        yield "still open", f"{title} ({status.fix})"
    if status.spot:
        yield "", f"{'look at' if status.fix else 'write'} {status.spot}"
    is_known = status.trouble or status.at or status.fix
    yield "then" if is_known else "to check it", f"`grade {stage.id}`"
    if all(place.state == "open" for place in status.places):
        for warm_up in (place.stage for place in status.places if place.stage.warm_up):
            command = f"{warm_up.file}, then `grade {warm_up.id}`"
            yield "or start with paper and pencil", command
