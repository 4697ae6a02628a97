"""Define symbols, which represent a learner's objects in a suite.

Their operators only record steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

from grader.judge.expectations import Reading
from grader.judge.script.steps import Apply, Call, Operand, Put
from grader.worker.protocol import Ref

if TYPE_CHECKING:
    from typing_extensions import Self

    from grader.judge.recorder import Recorder

Other = Union["Operators", float, int]


class Operators:
    """Python's operators, each recorded by `_apply`."""

    def _apply(self, op: str, *args: Any) -> Self:
        raise NotImplementedError

    def __add__(self, other: Other) -> Self:
        return self._apply("+", self, other)

    def __mul__(self, other: Other) -> Self:
        return self._apply("*", self, other)

    def __radd__(self, other: float) -> Self:
        return self._apply("+", other, self)

    def __rmul__(self, other: float) -> Self:
        return self._apply("*", other, self)

    def __sub__(self, other: Other) -> Self:
        return self._apply("-", self, other)

    def __rsub__(self, other: float) -> Self:
        return self._apply("-", other, self)

    def __truediv__(self, other: Other) -> Self:
        return self._apply("/", self, other)

    def __rtruediv__(self, other: float) -> Self:
        return self._apply("/", other, self)

    def __pow__(self, exponent: Other) -> Self:
        return self._apply("**", self, exponent)

    def __rpow__(self, base: float) -> Self:
        return self._apply("**", base, self)

    def __neg__(self) -> Self:
        return self._apply("neg", self)


class Symbol(Operators):
    """A learner's object. Its operators are recorded; a course adds its attributes."""

    def __init__(self, recorder: Recorder, ref: Ref) -> None:
        self.recorder = recorder
        self.ref = ref

    def _apply(self, op: str, *args: Operand | Symbol) -> Self:
        if self.recorder.mirror and op in {"+", "*"} and isinstance(args[1], Symbol):
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
