"""Define symbols, which represent a learner's objects in a suite.

Their operators only record steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grader.judge.expectations import Reading
from grader.judge.script.operators import Operators
from grader.judge.script.steps import Apply, Call, Operand, Put
from grader.worker.protocol import Ref

if TYPE_CHECKING:
    from typing_extensions import Self

    from grader.judge.recorder import Recorder


class Symbol(Operators):
    """A learner's object. Its operators are recorded; a course adds its attributes."""

    def __init__(self, recorder: Recorder, ref: Ref) -> None:
        self.recorder = recorder
        self.ref = ref

    def _apply(self, op: str, *args: Operand | Symbol) -> Self:
        is_mirrored = self.recorder.mirror and op in {"+", "*"}
        if is_mirrored and all(isinstance(each, Symbol) for each in args):
            args = args[::-1]
        return self.recorder.new(type(self), Apply, op, plain(args))

    def call(self, method: str, *args: Operand | Symbol) -> Ref:
        """Record `self.method(*args)` and return the number of its result."""
        return self.recorder.new(Symbol, Call, self.ref, method, plain(args)).ref

    def put(self, attribute: str, value: Operand | Symbol) -> None:
        """Record `self.attribute = value`."""
        self.recorder.steps.append(Put(self.ref, attribute, plain(value)))

    def reading(self, attribute: str = "", form: str = "number") -> Reading:
        """Return a reading of `self.attribute`, or of the object itself."""
        return Reading(self.ref, attribute, form)


def plain(value: Operand | Symbol | Sequence[Any]) -> Operand:
    """Return a symbol's object number, also inside lists; anything else unchanged."""
    if isinstance(value, Symbol):
        return value.ref
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value  # type: ignore[return-value]
