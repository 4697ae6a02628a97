"""Ask the quiz in the terminal, one question at a time, each explained after its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Union

from rich.console import Console
from rich.text import Text

from grader.errors import UsageError
from grader.judge.oracle.paper import number_text
from grader.learner.quiz.answering import LETTERS, Asked, hint_for, judge
from grader.views.console import (
    HINT,
    LIST,
    NEXT,
    QUIT,
    code_text,
    print_hanging,
    print_keys,
    print_text,
    sign_text,
)

Compute = Callable[[Asked], Union[float, str]]
"""Compute the number that a question is about in the learner's own engine, or say why not."""

_SIGNS = {True: ("✓", "+", "green"), False: ("✗", "x", "red"), None: ("·", ".", "dim")}


def hold_session(
    session: Sequence[Asked],
    console: Console,
    read: Callable[[str], str | None],
    compute: Compute | None = None,
) -> Iterator[tuple[Asked, bool]]:
    """Ask the questions. Yield each answered one and whether the answer is right.

    `read` receives the keys that need no Enter. `q` or the end of the input ends the session, `n`
    skips the question, `l` lists all of them, `h` gives a hint. With `compute`, three numbers
    follow each answer.
    """
    answered: dict[int, bool] = {}
    for number, asked in enumerate(session):
        print_question(asked, number + 1, len(session), console)
        word, correct = _answer(session, number, answered, console, read)
        if word == "q":
            return
        if correct is not None:
            answered[number] = correct
            print_answer(asked, console, correct=correct)
            if compute is not None:
                _print_three(asked, word, compute(asked), console)
            yield asked, correct


def _answer(
    session: Sequence[Asked],
    number: int,
    answered: Mapping[int, bool],
    console: Console,
    read: Callable[[str], str | None],
) -> tuple[str, bool | None]:
    """Return the answer to a question and whether it is right, None for `n` or `q`. Until then, act
    on the other keys.
    """
    asked = session[number]
    while True:
        print_keys((NEXT, HINT, LIST, QUIT), console)
        typed = read("nhlq" + LETTERS[: len(asked.options)])
        word = "q" if typed is None else typed.strip()
        key = word.casefold()
        if key in {"n", "q"}:
            return key, None
        if key == "h":
            for line in hint_for(asked):
                print_text(code_text(line), console, 2)
        elif key == "l":
            print_list(session, answered, number, console)
        else:
            try:
                return word, judge(asked, word)
            except UsageError as error:
                print_text(Text(f"{error.message}; {error.hint}", style="yellow"), console)


def print_question(asked: Asked, number: int, count: int, console: Console) -> None:
    """Print a question with its options, or with what to type."""
    console.print()
    console.print(Text(f"{number} of {count}: {asked.question.phase}", style="bold"))
    print_text(code_text(asked.text), console, 2)
    for line in asked.code.splitlines():
        console.print(Text("    " + line, style="cyan"), soft_wrap=True)
    if asked.number is None:
        for letter, option in zip(LETTERS, asked.options):
            print_hanging(Text(f"  {letter}) "), code_text(option), console)
    else:
        print_text(
            Text("Type a number and Enter. Four digits will do, and so will 1/3.", style="dim"),
            console,
            2,
        )


def print_answer(asked: Asked, console: Console, *, correct: bool) -> None:
    """Print whether it was right and why, with the steps that lead to a number."""
    if correct:
        console.print(Text("  right", style="green"))
    else:
        option = "" if asked.number is not None else asked.options[LETTERS.index(asked.right)]
        right = f"{asked.right}) {option}" if option else asked.right
        print_hanging(Text("  not quite: ", style="red"), code_text(right), console)
        for step in asked.worked:
            print_hanging(Text("    "), Text(step.line, style="cyan"), console)
    print_text(code_text(asked.question.explanation), console, 2)


def _print_three(asked: Asked, predicted: str, own: float | str, console: Console) -> None:
    """Print the prediction, the number from the learner's own engine, and the right one."""
    engine = "" if isinstance(own, str) else f"your engine {number_text(own)}   "
    if isinstance(own, str):
        print_text(code_text(f"your engine cannot compute this yet: {own}", "yellow"), console, 2)
    print_text(
        Text(f"predicted {predicted}   {engine}right {asked.right}", style="bold"), console, 2
    )


def print_list(
    session: Sequence[Asked], answered: Mapping[int, bool], now: int, console: Console
) -> None:
    """Print all questions of this session, and how they went."""
    for number, asked in enumerate(session):
        sign = sign_text(_SIGNS[answered.get(number)], console)
        head = Text.assemble("  ", sign, (f" {number + 1} {asked.question.phase}  ", "bold"))
        print_hanging(head, code_text(asked.text if number <= now else "to come"), console)
