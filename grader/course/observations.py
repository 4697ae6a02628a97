"""What losses, schedules, neurons and optimizers depend on: experiments on the learner's code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from network_guesses import ACTIVATIONS
from networks import make
from sensitivity import Experiment, Numbers, influence, is_right, is_usual, simplest
from vocabulary import Learner, Value

from grader.suite import Reading, Symbol, close, number_text

# three predictions each, and their targets
EXAMPLES = (([0.75, -1.25, 0.25], [1.0, 1.0, -1.0]), ([1.5, -0.25, -0.5], [1.0, -1.0, 1.0]))
ORDINALS = ("first", "second", "third")
# three weights, a bias and three inputs
NEURONS = (
    (0.5, -0.25, 0.75, 0.25, 1.5, 0.5, 1.0),
    (-0.75, 0.5, 0.25, 1.5, 0.5, -1.0, 2.0),
    (0.5, -0.5, -0.75, -0.25, -1.0, 1.5, 0.5),
)
INPUTS = 3
# the gradients of two parameters in three steps
GRADIENTS = ((2.0, -0.5), (1.0, -1.5), (-0.5, 1.25))
OTHERS = ((-0.75, 1.5), (0.5, 2.5), (1.75, -1.0))
STARTS = (1.0, -2.0)
_STEADY = ("always 1", (1.0, 1.0, 1.0))
_ONCE = ("1 in the first step and then 0", (1.0, 0.0, 0.0))
SIMPLE = {"SGD": (_ONCE, _STEADY), "Adam": (_STEADY, _ONCE)}


def look_at_loss(
    learner: Learner,
    ask: Callable[[Numbers, Numbers], Reading],
    right: Callable[[Numbers, Numbers], float],
    prediction: str,
    target: str,
) -> str:
    """Return how a loss goes wrong that is computed from predictions and targets.

    Labels are not changed, because a label is either 1 or -1.
    """

    def tried(count: int) -> Experiment:
        def split(function: Callable[[Numbers, Numbers], object], both: Numbers) -> object:
            return function(list(both[:count]), list(both[count:]))

        whats = [prediction] if target == "label" else [prediction, target]
        return Experiment(
            [f"the {ordinal} {what}" for what in whats for ordinal in ORDINALS[:count]],
            [[*ps[:count], *ts[:count]] for ps, ts in EXAMPLES],
            partial(split, ask),  # type: ignore[arg-type]
            partial(split, right),  # type: ignore[arg-type]
            {f"the {ORDINALS[n]} example": (n, n + count) for n in range(count)},
            "the loss",
        )

    fewest = next((n for n in (1, 2, 3) if not is_right(learner, tried(n))), 0)
    if not fewest:
        return ""
    fewer = "with one example the loss is right" if fewest > 1 else ""
    count = fewest if fewest > 1 else len(ORDINALS)
    if found := influence(learner, tried(count), vague=False):
        found = f"with {count} examples, {found}"
    elif least := simplest(learner, tried(fewest)):
        numbers, got, want = least
        found = (
            f"with the {prediction}s {_list(numbers[:fewest])} and the {target}s"
            f" {_list(numbers[fewest:])} it is {number_text(got)}; {number_text(want)} is right"
        )
    return "; ".join(filter(None, (fewer, found)))


def look_at_rate(learner: Learner, ask: Callable[..., Reading], right: Callable[..., float]) -> str:
    """Return how a learning rate goes wrong."""

    def split(function: Callable[..., object], numbers: Numbers) -> object:
        step, steps, *ends = numbers
        return function(int(step), int(steps), *ends)

    tried = Experiment(
        ["`step`", "`steps`", "`start`", "`end`"],
        [(2, 6, 1.0, 0.125), (1, 5, 0.5, 0.25)],
        partial(split, ask),  # type: ignore[arg-type]
        partial(split, right),  # type: ignore[arg-type]
        result="the rate",
        changes=(1, 1, 0.0625, 0.0625),
    )
    if is_right(learner, tried):
        return "`learning_rate(2, 6, 1.0, 0.125)` is right; what is different here?"
    return influence(learner, tried)


def look_at_neuron(learner: Learner, kind: str) -> str:
    """Return what a neuron's output depends on that it should not, or the simplest wrong output."""
    linear = _neuron(learner, "linear")
    tried = _neuron(learner, kind)
    if is_right(learner, tried):
        again = "a second call with the same inputs gives a different output"
        return again if _changes(learner, kind) else ""
    if is_right(learner, linear):
        return f'a "linear" neuron is right; {_simplest_neuron(learner, tried, kind)}'
    found = influence(learner, linear, vague=False)
    if not found:
        return _simplest_neuron(learner, linear, "linear")
    return f'in a "linear" neuron with {INPUTS} inputs, {found}'


def _neuron(learner: Learner, kind: str) -> Experiment:
    places = range(INPUTS)
    weights, inputs = [f"`w[{i}]`" for i in places], [f"`x[{i}]`" for i in places]

    def ask(numbers: Numbers) -> Reading:
        neuron = make(learner, "Neuron", INPUTS, kind, name="n")
        neuron.set([*(f"w[{i}]" for i in places), "b"], numbers)
        return neuron(list(numbers[INPUTS + 1 :])).reading("data")

    def right(numbers: Numbers) -> float:
        w, b, x = numbers[:INPUTS], numbers[INPUTS], numbers[INPUTS + 1 :]
        return ACTIVATIONS[kind](sum(map(float.__mul__, map(float, w), map(float, x))) + b)

    groups = {"a weight": tuple(places), "an input": tuple(range(INPUTS + 1, 2 * INPUTS + 1))}
    return Experiment([*weights, "`b`", *inputs], NEURONS, ask, right, groups, result="the output")


def _changes(learner: Learner, kind: str) -> bool:
    """Return whether a neuron gives two outputs for the same inputs."""
    learner.fresh()
    neuron = make(learner, "Neuron", INPUTS, kind, name="n")
    once, again = learner.read([neuron([1.0, 2.0, 3.0]).reading("data") for _ in range(2)])
    return once != again


def _simplest_neuron(learner: Learner, tried: Experiment, kind: str) -> str:
    found = simplest(learner, tried)
    if found is None:
        return ""
    numbers, got, want = found
    w, b, x = numbers[:INPUTS], numbers[INPUTS], numbers[INPUTS + 1 :]
    return (
        f'a "{kind}" neuron with w = {_list(w)}, b = {number_text(b)} and x = {_list(x)} gives'
        f" {number_text(got)}; {number_text(want)} is right"
    )


def _list(numbers: Sequence[float]) -> str:
    return f"[{', '.join(map(number_text, numbers))}]"


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
                found = found or (_averages(learner, arguments) if kind == "Adam" else "")
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


def _averages(learner: Learner, arguments: Numbers) -> str:
    """Return which average an Adam keeps wrong from one step to the next, if it calls them m and v
    as the stub does.
    """
    for steps in range(1, len(GRADIENTS)) if len(arguments) > 2 else ():
        learner.fresh()
        optimizer, _ = _after_steps(learner, "Adam", arguments, GRADIENTS[:steps])
        kept = learner.symbol(learner.expression(_KEPT).call("__call__", optimizer))
        answer: Any = learner.read([kept.reading("", "value")])[0]
        for name, beta, power in (("m", arguments[1], 1), ("v", arguments[2], 2)):
            want = 0.0
            for row in GRADIENTS[:steps]:
                want = beta * want + (1 - beta) * row[0] ** power
            got: Any = next((x for each, x in answer if each.strip("_") == name), None)
            if is_usual(got) and not close(got, want):
                return (
                    f"after {_many(steps)}, `{name}` of p is {number_text(got)}; by the rule it is"
                    f" {number_text(want)}"
                )
    return ""


_KEPT = """lambda kept: [
    [name, (list(x.values()) if isinstance(x, dict) else x)[0]]
    for name, x in vars(kept).items()
    if isinstance(x, (dict, list)) and x
]"""


def _walk(
    learner: Learner, kind: str, arguments: Numbers, rows: Sequence[Numbers], which: int
) -> Reading:
    """Record an optimizer's steps with these gradients; return the place of a parameter."""
    return _after_steps(learner, kind, arguments, rows)[1][which].data


def _after_steps(
    learner: Learner, kind: str, arguments: Numbers, rows: Sequence[Numbers]
) -> tuple[Symbol, list[Value]]:
    """Record an optimizer's steps with these gradients; return it and its parameters."""
    parameters = [learner.value(start, name) for start, name in zip(STARTS, "pq")]
    given = [parameter.ref for parameter in parameters]
    optimizer = learner.make(Symbol, kind, given, *arguments, name="optimizer")
    for row in rows:
        for parameter, gradient in zip(parameters, row):
            parameter.grad = gradient
        optimizer.call("step")
    return optimizer, parameters


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
