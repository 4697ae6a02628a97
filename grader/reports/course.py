"""Hints, symptoms and the checklist, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.checklist import Item
from grader.courses import Stage
from grader.questions import Symptom
from grader.reports.styled import code_text

_BOXES = {"done": ("[x]", "green"), "changed": ("[~]", "yellow"), "open": ("[ ]", "default")}


def print_hints(stage: Stage, count: int, about: str, console: Console) -> None:
    """The first `count` hints of a stage, the newest last."""
    console.print(Text(f"{stage.id}  {stage.title}", style="bold"))
    if about:
        console.print(Text(f"open now: {about}", style="dim"))
    for number, (level, text) in enumerate(stage.hints[:count], 1):
        console.print()
        console.print(Text(f"{number} of {len(stage.hints)}: {level}", style="bold"))
        for line in text.splitlines() if level == "code" else [" ".join(text.split())]:
            console.print() if not line else console.print(Padding(Text(line, style="cyan") if level == "code" else code_text(line), (0, 0, 0, 2), expand=False))
    if count < len(stage.hints):
        console.print()
        console.print(Text(f"more: grade hint {stage.id}", style="dim"))


def print_symptoms(symptoms: Sequence[Symptom], console: Console, *, brief: bool) -> None:
    """What may be behind each symptom, and where to look; only their names in the brief form."""
    if not symptoms:
        console.print(Text("nothing like that is known; grade hint --symptoms lists what is"))
    for symptom in symptoms if brief else symptoms[:3]:
        console.print(Text(symptom.says, style="bold" if not brief else ""))
        for cause in () if brief else symptom.causes:
            line = Text("- ")
            line.append_text(code_text(cause.text))
            console.print(Padding(line, (0, 0, 0, 2), expand=False))
            where = " or ".join(part for part in (cause.checkpoint, f"grade hint {cause.phase}" if cause.phase else "") if part)
            console.print(Padding(Text(f"look at {where}", style="dim"), (0, 0, 0, 4), expand=False))


def print_checklist(items: Sequence[Item], console: Console) -> None:
    """One line an item."""
    for item in items:
        box, colour = _BOXES[item.state]
        line = Text(f"{box} ", style=colour)
        line.append_text(Text(item.text, style="default"))
        if item.state == "changed":
            line.append("  proved before, changed since", style="yellow")
        elif item.passed < item.total:
            line.append(f"  {item.passed} of {item.total} checkpoints", style="dim")
        console.print(line)
    done = sum(item.state == "done" for item in items)
    console.print()
    console.print(Text(f"{done} of {len(items)}", style="bold"))
