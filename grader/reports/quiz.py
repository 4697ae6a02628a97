"""The quiz, in the terminal: one question after the other, each explained once it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.errors import UsageError
from grader.quiz import LETTERS, Asked, judge
from grader.reports.styled import code_text


def hold_session(session: Sequence[Asked], console: Console, read: Callable[[], str]) -> Iterator[tuple[Asked, bool]]:
    """Put the questions, and tell of each that is answered whether rightly. An empty answer ends it."""
    for number, asked in enumerate(session, 1):
        print_question(asked, number, len(session), console)
        correct = _read_answer(asked, console, read)
        if correct is None:
            return
        print_answer(asked, console, correct=correct)
        yield asked, correct


def _read_answer(asked: Asked, console: Console, read: Callable[[], str]) -> bool | None:
    """Whether the answer is right, once there is one; None for an empty one."""
    while (answer := read()).strip():
        try:
            return judge(asked, answer)
        except UsageError as error:  # noqa: PERF203 - a person is slower
            console.print(Text(f"{error.message}. {error.hint}"))
    return None


def print_question(asked: Asked, number: int, count: int, console: Console) -> None:
    """One question, with its options or what to answer."""
    console.print()
    console.print(Text(f"{number} of {count}", style="dim"))
    console.print(code_text(asked.text))
    for line in asked.code.splitlines():
        console.print(Text("    " + line, style="cyan"), soft_wrap=True)
    if asked.number is None:
        for letter, option in zip(LETTERS, asked.options):
            console.print(Padding(code_text(f"{letter}) {option}"), (0, 0, 0, 2), expand=False))
    else:
        console.print(Text("a number; four digits are enough, 1/3 is fine", style="dim"))


def print_answer(asked: Asked, console: Console, *, correct: bool) -> None:
    """Whether it was right, why, and the worked steps of a number."""
    right = asked.right if asked.number is not None else f"{asked.right}) {asked.options[LETTERS.index(asked.right)]}"
    console.print(Text("right", style="green") if correct else Text.assemble(("not quite", "red"), ": ", code_text(right)))
    if asked.number is not None and not correct:
        for step in asked.worked:
            console.print(Text("    " + step.line, style="cyan"), soft_wrap=True)
    console.print(code_text(asked.question.explanation))
