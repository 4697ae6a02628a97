"""Find an engine's conventions: which gradients its backward pass keeps, and its precision."""

from __future__ import annotations

from dataclasses import replace

from grader.intake.adapter import Adapter, Precision, template
from grader.judge.oracle.gradients import as_single
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Put
from grader.learner.adapting.trials import A, B, C, E, Trials, are_close

_SWITCHES = (
    "[p.name for p in __import__('inspect').signature({}).parameters.values() if p.default is {}]"
)
_MORE = (2, 3, 4)  # times the gradient of one pass, because inner nodes and the result add up, too


def with_conventions(trials: Trials, found: Adapter) -> Adapter:
    """Return the adapter with the engine's conventions."""
    found = _repeatable(trials, found)
    return replace(
        found,
        numbers=_takes_numbers(trials, found),
        clears=_clears(trials, found),
        intermediate=_keeps_intermediate(trials, found),
        precision=Precision.SINGLE if _rounds(trials, found) else Precision.DOUBLE,
    )


def _repeatable(trials: Trials, found: Adapter) -> Adapter:
    """Return the adapter with a backward pass that can be repeated.

    `backward(retain_graph=False)` frees the graph, and `backward(zero=True)` clears gradients:
    each switch of the call is tried the other way round, if a second pass adds nothing.
    """
    if _adds_up(trials, found):
        return found
    made = found.backward
    function = f"{found.owner}.{made.path}" if made.is_method else made.path
    for now in ("True", "False", "None"):
        for name in trials.names(_SWITCHES.format(function, now)):
            switch = f"{name}={now != 'True'})"
            comma = "" if made.text.endswith("()") else ", "
            text = made.text[:-1] + comma + switch
            other = replace(found, backward=template(text, text))
            if _adds_up(trials, other):
                return other
    return found


def _adds_up(trials: Trials, found: Adapter) -> bool:
    """Return whether a second backward pass adds to the gradients that the first one left."""
    back = trials.back(found)
    (got,) = trials.numbers([*trials.deep(found), *back, *back], (A, found.gradient))
    return any(are_close([got], [n * trials.deep_gradients[0]]) for n in _MORE)


def _takes_numbers(trials: Trials, found: Adapter) -> bool:
    """Return whether an operand may be a plain number (for a function, either one)."""
    leaf, result = trials.leaves(found.make, 2.0), (C, found.data)

    def takes(op: str, right: float) -> bool:
        made = found.calls.get(op)
        orders = [[A, 4.0], [4.0, A]] if made and not made.is_method else [[A, 4.0]]
        return all(
            trials.gives((right,), [*leaf, trials.apply(found, op, C, order)], result)
            for order in orders
        )

    return takes("*", 8.0) or takes("+", 6.0)


def _clears(trials: Trials, found: Adapter) -> bool:
    """Return whether the backward pass first sets gradients to 0 that an earlier pass left, or
    that were set by hand. In `a * a`, an engine that assigns instead of adding does not look
    like one that clears.
    """
    op, gradient = trials.op, (A, found.gradient)
    leaf, right = trials.leaves(found.make, 2.0), 4.0 if op == "*" else 2.0
    passed = [trials.apply(found, op, C, [A, A]), *trials.back(found)]
    held = [*leaf, Put(*gradient, 5.0)]
    is_set = trials.gives((5.0,), held, gradient)
    return trials.gives((right,), [*leaf, *passed, *passed], gradient) or (
        is_set and trials.gives((right,), [*held, *passed], gradient)
    )


def _keeps_intermediate(trials: Trials, found: Adapter) -> bool:
    """Return whether a gradient can be read from the nodes that are not leaves."""
    steps = [*trials.deep(found), *trials.back(found)]
    return all(trials.numbers(steps, (E, found.gradient), (C, found.gradient)))


def _rounds(trials: Trials, found: Adapter) -> bool:
    """Return whether the engine rounds its numbers to 32 bits."""
    op = trials.op
    exact = 0.1, OPERATORS[op].compute(0.1, 0.7)
    steps = [*trials.leaves(found.make, 0.1, 0.7), trials.apply(found, op, C, [A, B])]
    got = trials.numbers(steps, (A, found.data), (C, found.data))
    return all(
        number is not None and number != want and number == as_single(number)
        for number, want in zip(got, exact)
    )
