"""Hints, symptoms and the checklist, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.checklist import Item
from grader.courses import Stage
from grader.questions import Symptom
from grader.reports.styled import code_text, print_hanging

_BOXES = {"changed": ("[~]", "yellow"), "open": ("[ ]", "default")}
_DONE = {"code": ("[x]", "green"), "quiz": ("[q]", "green"), "word": ("[w]", "cyan")}
_BY = {"code": "your code", "quiz": "the quiz", "word": "your own word"}


def print_hints(stage: Stage, count: int, about: str, console: Console) -> None:
    """The first `count` hints of a stage, the newest last."""
    console.print(Text(f"{stage.id}  {stage.title}", style="bold"))
    if about:
        print_hanging(Text("open now: ", style="dim"), code_text(f"{stage.titles[about]} ({about})", "dim"), console)
    for number, (level, text) in enumerate(stage.hints[:count], 1):
        console.print()
        console.print(Text(f"{number} of {len(stage.hints)}: {level}", style="bold"))
        for line in text.splitlines() if level == "code" else [" ".join(text.split())]:
            console.print() if not line else console.print(Padding(Text(line, style="cyan") if level == "code" else code_text(line), (0, 0, 0, 2), expand=False))
    console.print()
    if count < len(stage.hints):
        console.print(Text(f"{'the next' if count else 'the first'}: grade hint {stage.id}", style="dim"))
    if count:
        console.print(Text(f"to read these again: grade hint {stage.id} --again", style="dim"))


def print_symptoms(symptoms: Sequence[Symptom], console: Console, *, brief: bool) -> None:
    """What may be behind each symptom, and where to look; only their names in the brief form."""
    if not symptoms:
        console.print(Text("nothing like that is known; grade hint --symptoms lists what is"))
    for symptom in symptoms if brief else symptoms[:3]:
        console.print(Text(symptom.says, style="bold" if not brief else ""))
        for cause in () if brief else symptom.causes:
            print_hanging(Text("  - "), code_text(cause.text), console)
            console.print(Padding(Text(f"grade {cause.checkpoint}, or grade hint {cause.phase}", style="dim"), (0, 0, 0, 4), expand=False))


def print_checklist(items: Sequence[Item], console: Console) -> None:
    """One line an item, under who can tick it; at the end how many are ticked by whom."""
    if not items:
        console.print(Text("this course has no checklist"))
        return
    sections = (
        ("your code proves these: grade PHASE", [item for item in items if item.by == "code"]),
        ("the quiz asks for these: grade quiz NAME; or give your own word: grade checklist --tick NAME",
         [item for item in items if item.by != "code" and item.total]),
        ("your own word: grade checklist --tick NAME", [item for item in items if item.by == "word" and not item.total]),
    )  # fmt: skip
    for heading, listed in sections:
        if not listed:
            continue
        console.print(Text(heading, style="bold"))
        for item in listed:
            print_hanging(*_item(item), console)
        console.print()
    console.print(Text(f"{sum(item.state == 'done' for item in items)} of {len(items)}", style="bold").append_text(_sum(items)))


def _item(item: Item) -> tuple[Text, Text]:
    box, colour = _BOXES.get(item.state) or _DONE[item.by]
    line = Text(item.text)
    if item.state == "changed":
        line.append("  passed before, changed since", style="yellow")
    elif item.passed < item.total:
        line.append(f"  {item.passed} of {item.total} {'checkpoints' if item.by == 'code' else 'questions'}", style="dim")
    if item.by != "code" and item.state == "open":
        line.append(f"  {item.id}", style="cyan")
    return Text(f"  {box} ", style=colour), line


def _sum(items: Sequence[Item]) -> Text:
    told = Text("  ")
    for by, (box, colour) in _DONE.items():
        told.append(f"{box} ", style=colour).append(f"{_BY[by]}: {sum((item.by, item.state) == (by, 'done') for item in items)}   ")
    changed = sum(item.state == "changed" for item in items)
    return told.append("[~] ", style="yellow").append(f"changed since: {changed}") if changed else told
