"""Try calls on an engine that nobody knows yet: run a few steps in a worker, and read the results.

The engine's code is not read here. The worker lists the names of classes, functions and attributes
to try.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.intake.adapter import Adapter, Template, template
from grader.judge.evidence import Reply, attempt
from grader.judge.oracle.gradients import close
from grader.judge.replies import UnexpectedType
from grader.judge.script.steps import (
    FIRST_TRIED,
    Apply,
    Call,
    Define,
    Expression,
    Make,
    Put,
    Read,
    Step,
)
from grader.judge.session import Session
from grader.model import Fault, Kind
from grader.worker.protocol import Ref

A, B, C, D, E, F = (Ref(number) for number in range(1, 7))
MAX_TRIED = 40
OPS = ("*", "+")
_GRADIENTS = {  # of A and B, in `Trials.result` and in `Trials.deep`
    "*": ((-3.0, 2.0), (-12.0, 8.0)),
    "+": ((1.0, 2.0), (1.0, 2.0)),
}
_FOUND, _ANSWER = Ref(FIRST_TRIED + 1), Ref(FIRST_TRIED + 2)
_NAMED = """
def named(node, is_called):
    found = []
    for name in dir(node):
        try:
            if not name.startswith("__") and callable(getattr(node, name)) is is_called:
                found.append(name)
        except Exception:
            pass
    return found
"""


class Trials:
    """Runs steps on the engine in one worker, each time from the beginning."""

    def __init__(self, session: Session, op: str = "*") -> None:
        self._session = session
        self.op = op
        self.gradients, self.deep_gradients = _GRADIENTS[op]

    # --- what comes of some steps ---

    def fault(self, steps: Sequence[Step]) -> Fault | None:
        """Return the fault that these steps end with, or None."""
        return self._run(steps).fault

    def _run(self, steps: Sequence[Step]) -> Reply:
        return attempt(lambda: self._session.run(steps, fresh=True))

    def names(self, source: str) -> list[str]:
        """Return the names in the list that an expression gives."""
        return self._names([Expression(_FOUND, source), Read(_FOUND, "", "value")])

    def attributes(self, steps: Sequence[Step], on: Ref, *, called: bool) -> list[str]:
        """Return the names of an object's attributes after these steps, public ones first.

        Attributes that raise when read are left out.
        """
        asked: list[Step] = [
            Define(_FOUND, "named", _NAMED),
            Call(_ANSWER, _FOUND, "__call__", [on, called]),
            Read(_ANSWER, "", "value"),
        ]
        return sorted(self._names([*steps, *asked]), key=lambda name: name[0] == "_")[:MAX_TRIED]

    def _names(self, steps: Sequence[Step]) -> list[str]:
        found = self._first_answer(steps)
        texts = [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
        return [name for name in texts if name.isidentifier()]

    def _first_answer(self, steps: Sequence[Step]) -> object:
        answers = self._run(steps).answers
        return answers[0] if answers else None

    def is_one(self, steps: Sequence[Step], on: Ref, owner: str) -> bool:
        """Return whether an object is of exactly this class after these steps."""
        asked: list[Step] = [
            Expression(_FOUND, f"lambda x: type(x) is {owner}"),
            Call(_ANSWER, _FOUND, "__call__", [on]),
            Read(_ANSWER, "", "value"),
        ]
        return self._first_answer([*steps, *asked]) is True

    def numbers(self, steps: Sequence[Step], *readings: tuple[Ref, str]) -> list[float | None]:
        """Return the numbers read after these steps, with None for failures and other types."""
        numbers: list[float | None] = [None] * len(readings)
        left = list(range(len(readings)))
        while left:
            reply = self._run([*steps, *(Read(*readings[index], "number") for index in left)])
            for index, answer in zip(left, reply.answers):
                if not isinstance(answer, UnexpectedType):
                    numbers[index] = float(answer)  # type: ignore[arg-type] # a number
            if (
                reply.fault is None
                or reply.fault.kind is not Kind.RAISED
                or reply.index < len(steps)
            ):
                break
            del left[min(reply.index - len(steps), len(left) - 1)]
        return numbers

    def gives(
        self, wanted: Sequence[float], steps: Sequence[Step], *readings: tuple[Ref, str]
    ) -> bool:
        """Return whether these numbers are read after the steps."""
        return are_close(self.numbers(steps, *readings), wanted)

    # --- steps ---

    def call(self, made: Template, target: Ref, operands: Sequence[Ref | float]) -> Step:
        """Return the step that calls a template with these operands."""
        arguments = made.arguments(operands)
        if made.is_method:
            return Call(target, operands[0], made.path, *arguments)  # type: ignore[arg-type]
        return Make(target, f"{self._session.module}:{made.path}", *arguments)

    def call_text(self, text: str, target: Ref, operands: Sequence[Ref | float]) -> Step:
        """Return the step that calls the template with this text."""
        return self.call(template(text, text), target, operands)

    def apply(self, draft: Adapter, op: str, target: Ref, operands: Sequence[Ref | float]) -> Step:
        """Return the step that applies an operator in the way that the adapter knows."""
        made = draft.calls.get(op)
        return self.call(made, target, operands) if made else Apply(target, op, list(operands))

    def leaves(self, make: Template, *numbers: float) -> list[Step]:
        """Return the steps that make `A`, and `B` if there are two numbers."""
        return [self.call(make, target, [number]) for target, number in zip((A, B), numbers)]

    def result(self, draft: Adapter) -> list[Step]:
        """Return the steps of `C = A * B`, which is 2 * -3, or of `C = (A + B) + B`."""
        if self.op == "+":
            return self.deep(draft)
        return [*self.leaves(draft.make, 2.0, -3.0), self.apply(draft, self.op, C, [A, B])]

    def deep(self, draft: Adapter) -> list[Step]:
        """Return the steps of `C = (A * B) * 4`, or of `C = (A + B) + B`."""
        other = B if self.op == "+" else F
        return [
            *self.leaves(draft.make, 2.0, -3.0),
            self.call(draft.make, F, [4.0]),
            self.apply(draft, self.op, E, [A, B]),
            self.apply(draft, self.op, C, [E, other]),
        ]

    def back(self, found: Adapter) -> list[Step]:
        """Return the steps of the backward pass of `C`."""
        seed: list[Step] = [Put(C, found.gradient, 1.0)] if found.seed else []
        return [*seed, self.call(found.backward, D, [C])]


def are_close(got: Sequence[float | None], wanted: Sequence[float]) -> bool:
    """Return whether some numbers were read and all are right."""
    return bool(got) and all(
        number is not None and math.isfinite(number) and close(number, want)
        for number, want in zip(got, wanted)
    )
