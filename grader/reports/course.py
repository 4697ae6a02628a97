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

_BOXES = {"changed": ("[~]", "yellow"), "open": ("[ ]", "default")}
_DONE = {"code": ("[x]", "green"), "quiz": ("[q]", "green"), "word": ("[w]", "cyan")}
_BY = {"code": "your code", "quiz": "the quiz", "word": "your own word"}


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
    """One line an item, under who can tick it; at the end how many are ticked by whom."""
    sections = (
        ("your code proves these: grade PHASE", [item for item in items if item.by == "code"]),
        ("the quiz asks for these: grade quiz NAME; or give your own word: grade checklist --tick NAME",
         [item for item in items if item.by != "code" and item.total]),
        ("your own word: grade checklist --tick NAME", [item for item in items if item.by == "word" and not item.total]),
    )  # fmt: skip
    for heading, listed in sections:
        console.print(Text(heading, style="bold"))
        for item in listed:
            console.print(Padding(_item(item), (0, 0, 0, 2), expand=False))
        console.print()
    console.print(Text(f"{sum(item.state == 'done' for item in items)} of {len(items)}", style="bold").append_text(_sum(items)))


def _item(item: Item) -> Text:
    box, colour = _BOXES.get(item.state) or _DONE[item.by]
    line = Text.assemble((f"{box} ", colour), item.text)
    if item.state == "changed":
        line.append("  passed before, changed since", style="yellow")
    elif item.passed < item.total:
        line.append(f"  {item.passed} of {item.total} {'checkpoints' if item.by == 'code' else 'questions'}", style="dim")
    if item.by != "code" and item.state == "open":
        line.append(f"  {item.id}", style="cyan")
    return line


def _sum(items: Sequence[Item]) -> Text:
    told = Text("  ")
    for by, (box, colour) in _DONE.items():
        told.append(f"{box} ", style=colour).append(f"{_BY[by]}: {sum((item.by, item.state) == (by, 'done') for item in items)}   ")
    changed = sum(item.state == "changed" for item in items)
    return told.append("[~] ", style="yellow").append(f"changed since: {changed}") if changed else told
