"""Add what an experiment on the learner's code shows to a failure that nothing else explains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from grader.suite import Learner, Mismatch

Numbers = Sequence[float]
EXACT = 1e-9
LARGE = 1e9  # no right result is near it, and NaN is not below it
LARGEST = 12  # in a ratio that a sentence names
TIMES = {Fraction(2): "twice", Fraction(1, 2): "half"}


@contextmanager
def observing(learner: Learner, look: Callable[[], str]) -> Iterator[None]:
    """Add a sentence from an experiment to a failure in the block that nothing else explains."""
    try:
        yield
    except Mismatch as wrong:
        if wrong.explained or learner.is_adapted:
            raise
        found = ""
        with learner.experiment():
            found = look()
        if found:
            wrong.message += f"{':' if wrong.message.endswith(' is wrong') else ';'} {found}"
            wrong.explained = True
        raise


def is_usual(answer: object) -> bool:
    """Return whether an answer is a number that can be computed with."""
    return type(answer) in {int, float} and abs(answer) < LARGE  # type: ignore[arg-type]


def ratio_of(mine: Numbers, right: Numbers) -> Fraction | None:
    """Return how many times too large an effect is, if that is the same simple number for all."""
    found = {round(one / other, 9) for one, other in zip(mine, right) if not _same(other, 0)}
    if len(found) != 1 or any(_same(b, 0) and not _same(a, 0) for a, b in zip(mine, right)):
        return None
    ratio = Fraction(found.pop()).limit_denominator(LARGEST)
    fits = all(_same(one, other * ratio) for one, other in zip(mine, right))
    return ratio if fits and 1 in {abs(ratio.numerator), ratio.denominator} else None


def times_of(ratio: Fraction) -> str:
    """Return how large something is, such as `twice` or `-1/3 times`."""
    return TIMES.get(ratio, f"{ratio} {'of' if abs(ratio) < 1 else 'times'}")


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= EXACT * (1 + abs(other))
