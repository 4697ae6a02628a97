"""Print hints, symptoms and the checklist in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grader.learner.hints import Topic
from grader.learner.quiz.checklist import Item
from grader.learner.quiz.questions import Symptom
from grader.views.console import code_text, print_commands, print_hanging, print_heading, print_text

_BOXES = {"changed": ("[~]", "yellow"), "open": ("[ ]", "default")}
_DONE = {"code": ("[x]", "green"), "quiz": ("[q]", "green"), "word": ("[w]", "cyan")}
_BY = {
    "code": "your code ticks these",
    "quiz": "the quiz ticks these",
    "word": "tick these yourself",
}


def print_hints(topic: Topic, count: int, console: Console, *, is_kept: bool = True) -> None:
    """Print the first `count` hints about a function, the newest last.

    Unless `is_kept`, nothing remembers how many are open.
    """
    print_heading(topic.function, f"{topic.stage.id}: {topic.stage.title}", console)
    changed = (
        f"the code has changed since it was graded: `grade {topic.checkpoint.partition('.')[0]}`"
    )
    facts = {
        "open now": f"{topic.title} ({topic.checkpoint})" if topic.checkpoint else "",
        "see also": ", ".join(f"`grade hint {other}`" for other in topic.others),
        "your line": changed if topic.is_changed else "",
    }
    print_commands([(label, text) for label, text in facts.items() if text], console)
    for number, (name, text) in enumerate(topic.hints[:count], 1):
        console.print()
        console.print(Text(f"{number} of {len(topic.hints)}: {name}", "bold"))
        if name in {"code", "change"}:  # code to paste must not be wrapped
            for line in text.splitlines():
                console.print(Text(f"  {line}" if line else "", style="cyan"), soft_wrap=True)
        else:
            print_text(code_text(" ".join(text.split())), console, 2)
    console.print()
    call = f"grade hint {topic.checkpoint or topic.function}"
    next_ = ("next", f"`{call}{'' if is_kept else ' --all'}`")
    if count == len(topic.hints):
        spoil = f"`grade solution {topic.stage.id} --spoil` shows the solution"
        wrong = f"`grade {topic.stage.id}` shows what is still wrong"
        next_ = ("no more hints", spoil if topic.hints[-1][0] == "code" else wrong)
    again = [("again", f"`{call} --again`")] if count and is_kept else []
    print_commands([next_, *again], console)


def print_symptoms(symptoms: Sequence[Symptom], console: Console, *, brief: bool) -> None:
    """Print the likely causes of each symptom and where to look, or in brief only the symptoms."""
    if not symptoms:
        print_text(code_text("no symptom matches; `grade hint --symptoms` lists them all"), console)
    for symptom in symptoms if brief else symptoms[:3]:
        print_text(Text(symptom.says, style="bold" if not brief else ""), console)
        for cause in () if brief else symptom.cause:
            print_hanging(Text("  - "), code_text(cause.text), console)
            print_text(
                code_text(f"`grade {cause.checkpoint}`, `grade hint {cause.checkpoint}`", "dim"),
                console,
                4,
            )


def print_checklist(items: Sequence[Item], console: Console) -> None:
    """Print one line per item, grouped by who can tick it, and how many are ticked."""
    done = f"{sum(item.state == 'done' for item in items)} of {len(items)}"
    title = "what you can do" if items else "this course has no checklist"
    print_heading("checklist", title, console, done)
    for by, heading in _BY.items():
        listed = [item for item in items if item.proved_by == by]
        if listed:
            console.print(Text(f"\n{heading}", style="bold"))
        for item in listed:
            print_hanging(*_item(item), console)
    console.print()
    open_ = [item for item in items if item.by != "code" and item.state == "open"]
    asked = [("next", f"`grade quiz {item.id}`") for item in open_ if item.total]
    tick = [("tick one", f"`grade checklist --tick {item.id}`") for item in open_[-1:]]
    print_commands([*asked[:1], *tick], console)


def _item(item: Item) -> tuple[Text, Text]:
    box, colour = _BOXES.get(item.state) or _DONE[item.by]
    line = Text(item.text)
    if item.state == "changed":
        line.append("  edited since it passed", style="yellow")
    elif item.passed < item.total:
        line.append(f"  {item.passed}/{item.total}", style="dim")
    if item.by != "code" and item.state == "open":
        line.append(f"  {item.id}", style="cyan")
    return Text(f"  {box} ", style=colour), line
