"""Find how an engine calls the operators and functions of the course."""

from __future__ import annotations

from collections.abc import Sequence

from grader.intake.adapter import Adapter
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.operators import OPERATORS
from grader.learner.adapting.trials import MAX_TRIED, A, B, C, Trials, are_close

_FUNCTIONS = (
    "[n for n, t in list(globals().items()) if type(t).__name__ == 'function' and not"
    " n.startswith('_')]"
)
_MAKERS = (
    "[n for n, t in vars({}).items() if isinstance(t, (staticmethod, classmethod)) and not"
    " n.startswith('_')]"
)


class Operations:
    """Everything in a file that may be called with nodes."""

    def __init__(self, trials: Trials) -> None:
        self._try = trials
        self.functions = trials.names(_FUNCTIONS)[:MAX_TRIED]

    def makers(self, owner: str) -> list[str]:
        """Return the static and class methods of a class."""
        return [f"{owner}.{name}" for name in self._try.names(_MAKERS.format(owner))]

    def operator(self, draft: Adapter, op: str) -> str | None:
        """Return a call that does the operator's work, "" for the operator itself, or None."""
        numbers = {"neg": [2.0], "**": [2.0, 3]}.get(op, [2.0, -3.0])
        operands = [A, "3" if op == "**" else B][: len(numbers)]
        leaves = self._try.leaves(draft.make, *numbers)
        wanted, result = (OPERATORS[op].compute(*numbers),), f"{C}.{draft.data}"
        plain = f" {op} ".join(operands) if op != "neg" else f"-{A}"
        if self._try.gives(wanted, [*leaves, f"{C} = {plain}"], result):
            return ""
        # no operand of these may be a number where a node is expected
        if op not in {self._try.op, "**", "neg"} and not draft.calls:
            return None  # an engine that has operators, but not this one
        words, wrong = OPERATORS[op].words, None
        for text in self.callables(draft, len(numbers)):
            if any(word in text.lower() for word in words):
                lines = [*leaves, f"{C} = {text.format(*operands)}"]
                (number,) = self._try.numbers(lines, result)
                if are_close([number], wanted):
                    return text
                if number is not None and text.partition("(")[0].rpartition(".")[2] in words:
                    wrong = wrong or text
        return wrong if draft.calls else None

    def callables(
        self, draft: Adapter, count: int, of: Sequence[str] = (), node: str = A
    ) -> list[str]:
        """Return everything that may be called with nodes.

        That is: methods of a leaf (or of the result of these lines), functions, static and class
        methods.
        """
        holes = ["{}"] * count
        methods = self._try.attributes(of or self._try.leaves(draft.make, 2.0), node, called=True)
        return [
            *(f"{{}}.{name}({', '.join(holes[1:])})" for name in methods),
            *(
                f"{name}({', '.join(holes)})"
                for name in (*self.functions, *self.makers(draft.owner))
            ),
        ]

    def function(self, found: Adapter, name: str) -> str | None:
        """Return how to call an elementary function, or None.

        Its own name counts even if its numbers are wrong, any other name only if they are right.
        """
        candidates = self.callables(found, 1)
        own = (f"{{}}.{name}()", f"{name}({{}})", f"{found.owner}.{name}({{}})")
        named = [text for text in candidates if text in own]
        alike = [text for text in candidates if name in text.lower()][:MAX_TRIED]
        points = (0.5, 1.5) if name == "log" else (0.5, -0.75, 1.5)
        for text in (*named, *alike):
            values = [f"{text.format(found.make.text.format(x))}.{found.data}" for x in points]
            if self._try.gives([*map(FUNCTIONS[name].value, points)], [], *values):
                return text
        return next(iter(named), None)

    def cleared(self, found: Adapter, name: str) -> str | None:
        """Return a method that clears the gradients of a whole graph, not of one node, or None."""
        candidates = self.callables(found, 1)
        lines = [*self._try.result(found), *self._try.back(found)]
        gradients = [f"{node}.{found.gradient}" for node in (A, B, C)]
        for text in (f"{{}}.{name}()", f"{name}({{}})"):
            if text in candidates and self._try.gives(
                (0.0,) * 3, [*lines, text.format(C)], *gradients
            ):
                return text
        return None
