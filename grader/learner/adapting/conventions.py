"""Find an engine's conventions: which gradients its backward pass keeps, and its precision."""

from __future__ import annotations

from dataclasses import replace

from grader.intake.adapter import DOUBLE, SINGLE, Adapter, template
from grader.judge.oracle.gradients import as_single
from grader.judge.plain_values import is_close
from grader.judge.script.operators import OPERATORS
from grader.learner.adapting.trials import INNER, A, B, C, Trials

_SWITCHES = (
    "[p.name for p in __import__('inspect').signature({}).parameters.values() if p.default is {}]"
)


def with_conventions(trials: Trials, found: Adapter) -> Adapter:
    """Return the adapter with the engine's conventions."""
    found = _repeatable(trials, found)
    once = [*trials.result(found), *trials.back(found)]
    inner = (f"{node}.{found.gradient}" for node in (INNER, C))
    return replace(
        found,
        numbers=_takes_numbers(trials, found),
        clears=_clears(trials, found),
        intermediate=all(trials.numbers(once, *inner)),
        precision=SINGLE if _rounds(trials, found) else DOUBLE,
    )


def _repeatable(trials: Trials, found: Adapter) -> Adapter:
    """Return the adapter with a backward pass that can be repeated.

    `backward(retain_graph=False)` frees the graph, and `backward(zero=True)` clears gradients:
    each switch of the call is tried the other way round, if a second pass adds nothing.
    """
    text = found.backward.text
    function = text.partition("(")[0].format(found.owner)
    switched = (
        f"{text[:-1]}{'' if text.endswith('()') else ', '}{name}={now != 'True'})"
        for now in ("True", "False", "None")
        for name in trials.names(_SWITCHES.format(function, now))
    )
    others = (replace(found, backward=template(other)) for other in switched)
    return next((each for each in (found, *others) if _adds_up(trials, each)), found)


def _adds_up(trials: Trials, found: Adapter) -> bool:
    """Return whether a second backward pass adds to the gradients that the first one left."""
    back = trials.back(found)
    (got,) = trials.numbers([*trials.result(found), *back, *back], f"{A}.{found.gradient}")
    # times the gradient of one pass, because inner nodes and the result may add up, too
    return any(is_close(got, n * trials.gradients[0]) for n in (2, 3, 4))


def _takes_numbers(trials: Trials, found: Adapter) -> bool:
    """Return whether an operand may be a plain number (for a function, either one)."""

    def takes(op: str, right: float) -> bool:
        made = found.calls.get(op)
        orders = [(A, 4.0), (4.0, A)] if made and not made.is_method else [(A, 4.0)]
        results = [f"{trials.applied(found, *order, op)}.{found.data}" for order in orders]
        return trials.gives([right] * len(results), trials.leaves(found.make, 2.0), *results)

    return takes("*", 8.0) or takes("+", 6.0)


def _clears(trials: Trials, found: Adapter) -> bool:
    """Return whether the backward pass first sets gradients to 0 that an earlier pass left, or
    that were set by hand. In `a * a`, an engine that assigns instead of adding does not look
    like one that clears.
    """
    leaf, right = trials.leaves(found.make, 2.0), 4.0 if trials.op == "*" else 2.0
    gradient = f"{A}.{found.gradient}"
    passed = [f"{C} = {trials.applied(found, A, A)}", *trials.back(found)]
    held = [*leaf, f"{gradient} = 5.0"]
    return trials.gives((right,), [*leaf, *passed, *passed], gradient) or (
        trials.gives((5.0,), held, gradient) and trials.gives((right,), [*held, *passed], gradient)
    )


def _rounds(trials: Trials, found: Adapter) -> bool:
    """Return whether the engine rounds its numbers to 32 bits."""
    exact = 0.1, OPERATORS[trials.op].compute(0.1, 0.7)
    lines = trials.leaves(found.make, 0.1, 0.7)
    got = trials.numbers(lines, f"{A}.{found.data}", f"{trials.applied(found, A, B)}.{found.data}")
    return all(
        number is not None and number != want and number == as_single(number)
        for number, want in zip(got, exact)
    )
