"""Explain a wrong answer: which likely mistake gives what the learner's code gives?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from vocabulary import Learner

from grader.suite import Mismatch, Reading

Guesses = Mapping[str, Callable[..., float]]
"""Sentences, each with the number that code with this mistake gives for the same arguments."""
EXACT = 1e-9


@contextmanager
def guessing(
    learner: Learner,
    guesses: Guesses,
    tries: Sequence[Sequence[object]],
    ask: Callable[..., Reading],
) -> Iterator[None]:
    """Make a failure in the block say a sentence of the guesses, if only that one can be true.

    `ask` records a call with each of the `tries`, and the guess must agree with all the answers.
    """
    try:
        yield
    except Mismatch as wrong:
        if learner.is_adapted:
            raise
        answers: list[object] = []
        with learner.experiment():
            for each in tries:
                learner.fresh()
                answers += learner.read([ask(*each)])
        if found := explanation(guesses, tries, answers):
            sign = ":" if wrong.message.endswith(" is wrong") else ";"
            wrong.message, wrong.explained = f"{wrong.message}{sign} {found}", True
        raise


@contextmanager
def noticing_cuts() -> Iterator[None]:
    """Make a gradient of 0 that should be another number say that the graph may be cut there."""
    try:
        yield
    except Mismatch as wrong:
        if wrong.got == 0.0 and wrong.expected and wrong.message.endswith(".grad` is wrong"):
            name = wrong.message.removesuffix(".grad` is wrong")
            wrong.message += (
                f": no gradient reaches {name}`; is the result computed from its `.data`, or from a"
                " copy of it?"
            )
        raise


@contextmanager
def noticing_state(is_again: bool) -> Iterator[None]:  # noqa: FBT001 - it is the whole question
    """Make a failure say that the same call was right before, if the block `is_again` that call."""
    try:
        yield
    except Mismatch as wrong:
        if is_again:
            wrong.message += "; the same call was right before, so something is kept between calls"
            wrong.explained = True
        raise


def explanation(
    guesses: Guesses, tries: Sequence[Sequence[object]], answers: Sequence[object]
) -> str:
    """Return the only sentence whose numbers are the answers, or an empty text."""
    fits = [
        sentence
        for sentence, number in guesses.items()
        if len(answers) == len(tries)
        and all(_same(answer, number(*each)) for each, answer in zip(tries, answers))
    ]
    return fits[0] if len(fits) == 1 else ""


def _same(answer: object, number: float) -> bool:
    return type(answer) in {int, float} and abs(answer - number) <= EXACT * (1 + abs(number))  # type: ignore[operator]
