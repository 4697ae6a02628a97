"""Print a trace in the terminal, step by step.

It is readable without colour, in 60 columns and in ASCII.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from grader.learner.tracing.model import Step, Trace
from grader.learner.tracing.words import growth_text
from grader.text import safe
from grader.views.console import code_text, has_unicode, print_commands, print_hanging, print_text

MARKS = {"begin": "=", "forward": ">", "end": "=", "stopped": "!"}


def print_trace(trace: Trace, console: Console, go_on: Callable[[], bool] | None = None) -> None:
    """Print all steps. `go_on` is called before each one except the first."""
    print_text(code_text(safe(trace.title)), console)
    for note in trace.notes:
        print_commands([("note", safe(note))], console)
    for index, step in enumerate(trace.steps):
        if index and go_on is not None and not go_on():
            return
        _print_step(index, step, trace, console)


def _print_step(index: int, step: Step, trace: Trace, console: Console) -> None:
    arrow = "→" if has_unicode(console) else "->"
    width = len(str(len(trace.steps)))
    head = Text(f"{index + 1:>{width}} {MARKS.get(step.kind, '<')} ")
    print_hanging(head, code_text(safe(step.text)), console)
    indent = Text(" " * len(head))
    for growth in step.growths:
        text = safe(growth_text(growth, trace, arrow))
        print_hanging(indent, code_text(text, "red" if growth.gradient.wrong else ""), console)
    wrong = indent + Text("WRONG: ", style="bold red")
    for problem in step.problems:
        print_hanging(wrong, code_text(safe(problem)), console)
