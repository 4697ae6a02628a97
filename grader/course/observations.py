"""What optimizers depend on: experiments on the learner's code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sensitivity import Experiment, Numbers, influence, is_right, is_usual
from vocabulary import Learner

from grader.suite import Reading, Symbol, close, number_text

# the gradients of two parameters in three steps
GRADIENTS = ((2.0, -0.5), (1.0, -1.5), (-0.5, 1.25))
OTHERS = ((-0.75, 1.5), (0.5, 2.5), (1.75, -1.0))
STARTS = (1.0, -2.0)
_STEADY = ("always 1", (1.0, 1.0, 1.0))
_ONCE = ("1 in the first step and then 0", (1.0, 0.0, 0.0))
SIMPLE = {"SGD": (_ONCE, _STEADY), "Adam": (_STEADY, _ONCE)}


def look_at_optimizer(
    learner: Learner, kind: str, arguments: Numbers, right: Callable[[Sequence[float]], float]
) -> str:
    """Return what the place of a parameter depends on that it should not.

    `right` computes a move, divided by -lr, from all gradients of the parameter.
    """
    for steps in range(1, len(GRADIENTS) + 1):
        for which in range(len(STARTS)):
            tried = _steps(learner, kind, arguments, right, steps, which)
            if not is_right(learner, tried):
                found = influence(learner, tried, vague=False)
                found = found or _moves(learner, kind, arguments, right)
                when = f"p and q are right after {_many(steps - 1)}" if steps > 1 else ""
                return "; ".join(filter(None, (when, found)))
    return ""


def _steps(  # noqa: PLR0913, PLR0917 - an optimizer, and a parameter after some steps
    learner: Learner,
    kind: str,
    arguments: Numbers,
    right: Callable[[Sequence[float]], float],
    steps: int,
    which: int,
) -> Experiment:
    bases = [[number for row in rows[:steps] for number in row] for rows in (GRADIENTS, OTHERS)]

    def ask(numbers: Numbers) -> Reading:
        return _walk(learner, kind, arguments, list(zip(numbers[::2], numbers[1::2])), which)

    def place(numbers: Numbers) -> float:
        own = list(numbers[which::2])
        return STARTS[which] - arguments[0] * sum(right(own[: n + 1]) for n in range(len(own)))

    names = [f"the gradient of {name} in step {n + 1}" for n in range(steps) for name in "pq"]
    result = f"{'pq'[which]} after {_many(steps)}"
    return Experiment(names, bases, ask, place, result=result)


def _walk(
    learner: Learner, kind: str, arguments: Numbers, rows: Sequence[Numbers], which: int
) -> Reading:
    """Record an optimizer's steps with these gradients; return the place of a parameter."""
    parameters = [learner.value(start, name) for start, name in zip(STARTS, "pq")]
    given = [parameter.ref for parameter in parameters]
    optimizer = learner.make(Symbol, kind, given, *arguments, name="optimizer")
    for row in rows:
        for parameter, gradient in zip(parameters, row):
            parameter.grad = gradient
        optimizer.call("step")
    return parameters[which].data


def _moves(
    learner: Learner, kind: str, arguments: Numbers, right: Callable[[Sequence[float]], float]
) -> str:
    """Return how a parameter moves for the first simple gradients for which that is wrong."""
    for what, gradients in SIMPLE[kind]:
        counts = range(1, len(gradients) + 1)
        learner.fresh()
        walks = [[(gradient, gradient) for gradient in gradients[:count]] for count in counts]
        places = learner.read([_walk(learner, kind, arguments, walk, 0) for walk in walks])
        if not all(map(is_usual, places)):
            return ""
        moves = [
            before - after  # type: ignore[operator]
            for before, after in zip([STARTS[0], *places], places)
        ]
        wanted = [arguments[0] * right(gradients[:count]) for count in counts]
        if not all(map(close, moves, wanted)):
            return (
                f"if the gradient is {what}, p goes down by {_series(moves)}; it should go down by"
                f" {_series(wanted)}"
            )
    return ""


def _series(numbers: Sequence[float]) -> str:
    *first, last = map(number_text, numbers)
    return f"{', '.join(first)} and {last}"


def _many(steps: int) -> str:
    return "1 step" if steps == 1 else f"{steps} steps"
