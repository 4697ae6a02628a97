"""Find how an engine calls the operators and functions of the course."""

from __future__ import annotations

from collections.abc import Sequence

from grader.intake.adapter import Adapter, template
from grader.judge.oracle.functions import FUNCTIONS
from grader.judge.script.operators import OPERATORS
from grader.judge.script.steps import Apply, Operand, Step
from grader.learner.adapting.trials import MAX_TRIED, A, B, C, E, Trials, are_close
from grader.worker.protocol import Ref

_FUNCTIONS = (
    "[n for n, t in list(globals().items()) if type(t).__name__ == 'function' and not"
    " n.startswith('_')]"
)
_MAKERS = (
    "[n for n, t in vars({}).items() if isinstance(t, (staticmethod, classmethod)) and not"
    " n.startswith('_')]"
)
_WITHOUT_NUMBERS = ("**", "neg")  # no operand of these may be a number where a node is expected
_POINTS = (0.5, -0.75, 1.5)
_POSITIVE = (0.5, 1.5)


class Operations:
    """Everything in a file that may be called with nodes."""

    def __init__(self, trials: Trials) -> None:
        self._try = trials
        self.functions = trials.names(_FUNCTIONS)[:MAX_TRIED]

    def makers(self, owner: str) -> list[str]:
        """Return the static and class methods of a class."""
        return [f"{owner}.{name}" for name in self._try.names(_MAKERS.format(owner))]

    def has_operator(self, owner: str, op: str) -> bool:
        """Return whether a class has an operator's method, right or wrong."""
        return OPERATORS[op].method in self._try.names(f"dir({owner})")

    def operator(self, draft: Adapter, op: str) -> str | None:
        """Return a call that does the operator's work, "" for the operator itself, or None."""
        numbers = [2.0] if op == "neg" else [2.0, -3.0]
        leaves = self._try.leaves(draft.make, *numbers)
        arguments: list[Operand] = [A, B] if len(numbers) > 1 else [A]
        if op == "**":
            numbers[1], arguments[1] = 3, 3
        wanted, result = (OPERATORS[op].compute(*numbers),), (C, draft.data)
        if self._try.gives(wanted, [*leaves, Apply(C, op, arguments)], result):
            return ""
        if op not in {self._try.op, *_WITHOUT_NUMBERS} and not draft.calls:
            return None  # an engine that has operators, but not this one
        words, wrong = OPERATORS[op].words, None
        for text in self.callables(draft, len(numbers)):
            if any(word in text.lower() for word in words):
                steps = [*leaves, self._try.call_text(text, C, arguments)]  # type: ignore[arg-type]
                (number,) = self._try.numbers(steps, result)
                if are_close([number], wanted):
                    return text
                if number is not None and template(text, op).path.rpartition(".")[2] in words:
                    wrong = wrong or text
        return wrong if draft.calls else None

    def callables(
        self, draft: Adapter, count: int, of: Sequence[Step] = (), node: Ref = A
    ) -> list[str]:
        """Return everything that may be called with nodes.

        That is: methods of a leaf (or of the result of these steps), functions, static and class
        methods.
        """
        holes = ", ".join(["{}"] * count)
        steps = of or self._try.leaves(draft.make, 2.0)
        return [
            *(
                f"{{}}.{name}({', '.join(['{}'] * (count - 1))})"
                for name in self._try.attributes(steps, node, called=True)
            ),
            *(f"{name}({holes})" for name in (*self.functions, *self.makers(draft.owner))),
        ]

    def function(self, found: Adapter, name: str) -> str | None:
        """Return how to call an elementary function, or None.

        Its own name counts even if its numbers are wrong, any other name only if they are right.
        """
        candidates = self.callables(found, 1)
        own = (f"{{}}.{name}()", f"{name}({{}})", f"{found.owner}.{name}({{}})")
        named = [text for text in candidates if text in own]
        alike = [text for text in candidates if name in text.lower()][:MAX_TRIED]
        right = (text for text in (*named, *alike) if self._is_right(found, text, name))
        return next(right, next(iter(named), None))

    def _is_right(self, found: Adapter, text: str, name: str) -> bool:
        """Return whether a call gives the values of an elementary function."""
        call = self._try.call_text(text, C, [A])
        return all(
            self._try.gives(
                (FUNCTIONS[name].value(x),),
                [*self._try.leaves(found.make, x), call],
                (C, found.data),
            )
            for x in (_POSITIVE if name == "log" else _POINTS)
        )

    def cleared(self, found: Adapter, name: str) -> str | None:
        """Return a method that clears the gradients of a whole graph, not of one node, or None."""
        candidates = self.callables(found, 1)
        steps = [*self._try.result(found), *self._try.back(found)]
        gradients = [(node, found.gradient) for node in (A, B, C)]
        for text in (f"{{}}.{name}()", f"{name}({{}})"):
            if text in candidates and self._try.gives(
                (0.0,) * 3, [*steps, self._try.call_text(text, E, [C])], *gradients
            ):
                return text
        return None
