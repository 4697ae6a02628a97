"""Find how an engine calls the operators and functions of the course."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from grader.intake.adapter import Adapter
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.plain_values import is_same
from grader.judge.script.operators import OPERATORS
from grader.learner.adapting.trials import MAX_TRIED, A, B, C, Trials

_SEARCHED = {"log": (("log", "ln"), (0.5, 1.5))}  # other names, and numbers that it accepts


def operator(trials: Trials, draft: Adapter, op: str) -> str | None:
    """Return a call that does the operator's work, "" for the operator itself, or None."""
    numbers = {"neg": [2.0], "**": [2.0, 3]}.get(op, [2.0, -3.0])
    operands = [A, "3" if op == "**" else B][: len(numbers)]
    leaves = trials.leaves(draft.make, *numbers)
    wanted, result = (OPERATORS[op].compute(*numbers),), f"{C}.{draft.data}"
    plain = f" {op} ".join(operands) if op != "neg" else f"-{A}"
    if trials.gives(wanted, [*leaves, f"{C} = {plain}"], result):
        return ""
    # no operand of these may be a number where a node is expected
    if op not in {trials.op, "**", "neg"} and not draft.calls:
        return None  # an engine that has operators, but not this one
    words = OPERATORS[op].words
    named = [
        text
        for text in callables(trials, draft, len(numbers))
        if any(word in text.lower() for word in words)
    ]
    found = {
        text: trials.numbers([*leaves, f"{C} = {text.format(*operands)}"], result) for text in named
    }
    right = (text for text, got in found.items() if is_same(got, wanted))
    wrong = (
        text
        for text, got in found.items()
        if draft.calls and got != [None] and text.partition("(")[0].rpartition(".")[2] in words
    )
    return next(chain(right, wrong), None)


def callables(
    trials: Trials, draft: Adapter, count: int, of: Sequence[str] = (), node: str = A
) -> list[str]:
    """Return everything that may be called with nodes.

    That is: methods of a leaf (or of the result of these lines), functions, static and class
    methods.
    """
    holes = ["{}"] * count
    methods = trials.attributes(of or trials.leaves(draft.make, 2.0), node, called=True)
    return [
        *(f"{{}}.{name}({', '.join(holes[1:])})" for name in methods),
        *(
            f"{name}({', '.join(holes)})"
            for name in (*trials.functions, *trials.makers(draft.owner))
        ),
    ]


def function(trials: Trials, found: Adapter, name: str) -> str | None:
    """Return how to call an elementary function, or None.

    Its own name is tried even if nothing lists it, because `__getattr__` may provide it. A listed
    one that gives a number counts even if that is wrong, any other name only if it is right: a
    `log` may print.
    """
    candidates = callables(trials, found, 1)
    own = (f"{{}}.{name}()", f"{name}({{}})", f"{found.owner}.{name}({{}})")
    words, points = _SEARCHED.get(name, ((name,), (0.5, -0.75, 1.5)))
    alike = [text for text in candidates if any(word in text.lower() for word in words)]
    nodes = [found.make.text.format(x) for x in points]
    wanted = [*map(FUNCTIONS[name].value, points)]

    def results(text: str) -> list[str]:
        return [f"{text.format(node)}.{found.data}" for node in nodes]

    tried = (*own, *alike[:MAX_TRIED])
    right = (text for text in tried if trials.gives(wanted, [], *results(text)))
    listed = (text for text in own if text in candidates)
    wrong = (text for text in listed if None not in trials.numbers([], *results(text)))
    return next(chain(right, wrong), None)


def cleared(trials: Trials, found: Adapter, name: str) -> str | None:
    """Return a method that clears the gradients of a whole graph, not of one node, or None."""
    lines = [*trials.result(found), *trials.back(found)]
    gradients = [f"{node}.{found.gradient}" for node in (A, B, C)]
    right = (
        text
        for text in (f"{{}}.{name}()", f"{name}({{}})")
        if trials.gives((0.0,) * 3, [*lines, text.format(C)], *gradients)
    )
    return next(right, None)
