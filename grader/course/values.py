"""A learner's `Value`, and the operations that all checks need: make one, send a gradient back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from grader import suite
from grader.suite import (
    FUNCTIONS,
    OPERATORS,
    Apply,
    Call,
    Expected,
    Form,
    Kind,
    Make,
    NotAsked,
    Program,
    Reading,
    Recorder,
    Ref,
    Step,
    Symbol,
    oracle,
    programs,
)

T = TypeVar("T", bound="Expected | tuple[Reading, object]")


class Value(Symbol):
    """A learner's `Value`."""

    @property
    def data(self) -> Reading:
        """A reading of `data`."""
        return self.reading("data")

    @data.setter
    def data(self, number: float) -> None:
        self.put("data", number)

    @property
    def grad(self) -> Reading:
        """A reading of `grad`."""
        return self.reading("grad")

    @grad.setter
    def grad(self, number: float) -> None:
        self.put("grad", number)

    def backward(self) -> None:
        """Record `self.backward()`."""
        self.call("backward")

    def zero_grad(self) -> None:
        """Record `self.zero_grad()`."""
        self.call("zero_grad")


class Engine(suite.Learner):
    """The learner's code: makes Values and expressions, and sends gradients back."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._multiplies = self.dialect.multiplies

    # --- making ---

    def value(self, number: float, name: str = "", *more: Any) -> Value:
        """Record `name = Value(number, ...)`."""
        return self.make(Value, "engine.Value", number, *more, name=name)

    def values(self, **numbers: float) -> tuple[Value, ...]:
        """Record one `Value` for each name."""
        return tuple(self.value(number, name) for name, number in numbers.items())

    def function(self, name: str, x: Value) -> Value:
        """Record `x.name()`."""
        return Value(self.recorder, x.call(name))

    def apply(self, op: str, *args: Value | float) -> Value:
        """Record an operation or an elementary function."""
        if op in FUNCTIONS:
            return self.function(op, *args)  # type: ignore[arg-type]
        return OPERATORS[op].compute(*args)  # type: ignore[no-any-return]

    def change(self, op: str, *args: Symbol | float) -> Value:
        """Record a function that runs `a += b`, with this operation, and returns `a`."""
        source = f"def change(a, b):\n    a {op}= b\n    return a\n"
        return self.symbol(self.define("change", source).call("__call__", *args), Value)

    def program(self, program: Program) -> dict[Ref, Value]:
        """Record a drawn program; return its nodes by their numbers in the program."""
        nodes: dict[Any, Value] = {}
        letters = iter("abcdefgh")
        for step in program.steps:
            if isinstance(step, Make):
                nodes[step.target] = self.value(step.args[0], next(letters))  # type: ignore[arg-type]
            elif isinstance(step, Call):
                nodes[step.target] = self.function(step.method, nodes[step.on])
            elif isinstance(step, Apply):
                args = [nodes[arg] if isinstance(arg, Ref) else arg for arg in step.args]
                nodes[step.target] = self.apply(step.op, *args)  # type: ignore[arg-type]
        return nodes

    # --- the backward step of one operation, before there is a backward pass ---

    def send_back(self, result: Value, upstream: float, *operands: Value) -> float:
        """Give `result` a gradient, run `_backward` from there to its operands, and return that
        gradient.

        An engine with an adapter has no `_backward` to call. It runs a whole backward pass, from a
        product that gives `result` the gradient `upstream`; if its products are wrong, from
        `result` with a gradient of 1.
        """
        if self.is_adapted:
            sent = upstream if self._multiplies else 1.0
            (result if sent == 1.0 else result * self.value(sent)).backward()
            return sent
        result.grad = upstream
        self.walk(result, "_prev", "_backward", operands)
        return upstream

    def send_back_again(self, root: Value, *, cleared: bool = False) -> None:
        """Run `root.backward()` after a pass over the same nodes; their gradients may have been
        `cleared`. Skip the check if an adapted engine clears them itself, or refuses this.
        """
        if self.dialect.clears and not cleared:
            raise NotAsked("this engine clears all gradients when a backward pass begins")
        if self.is_adapted:
            self.run()
        root.backward()
        refused = self.raised() if self.is_adapted else None
        if refused is not None:
            if refused.fault.kind is not Kind.RAISED:
                raise refused
            raise NotAsked(f"this engine refuses a second backward pass: {refused.fault.message}")

    def seed_was_added(self, result: Value) -> bool:
        """Return whether an adapted engine adds 1 to the gradient of the result in each pass.

        Its second pass then sends more than this course's.
        """
        return self.is_adapted and self.dialect.intermediate and self.read([result.grad]) == [2.0]

    def forms(self, *written: str) -> tuple[Form, ...]:
        """Return these forms, without the ones that an adapted engine lacks."""
        found = tuple(form for form in programs.forms(*written) if self.dialect.can(*form))
        if not found:
            raise NotAsked(
                f"this engine has no {' or '.join(dict.fromkeys(f'`{text}`' for text in written))}"
                " (v is a node, k a number)"
            )
        return found

    def together(self, examples: Sequence[Any]) -> list[Sequence[Any]]:
        """Return the examples in groups for one script each. A backward pass of an adapted engine
        may clear the gradients of every graph.
        """
        return [[each] for each in examples] if self.dialect.clears else [examples]

    def expect_all(
        self, wanted: Sequence[Expected | tuple[Reading, object]], why: str = ""
    ) -> None:
        """Like `Learner.expect_all`, without gradients that the engine does not keep."""
        super().expect_all(self._kept(wanted), why)

    def _kept(self, wanted: Sequence[T]) -> Sequence[T]:
        """Return the expected numbers, without the gradients that the engine does not keep."""
        if self.dialect.intermediate:
            return wanted
        steps = self.recorder.steps
        leaves = {step.target for step in steps if isinstance(step, Make) and not step.operators()}
        return [entry for entry in wanted if entry[0].attribute != "grad" or entry[0].on in leaves]


def confirm(
    steps: Sequence[Step], of: Ref, wrt: Ref, upstream: float = 1.0, held: float = 0.0
) -> float:
    """Compute a gradient by finite differences, added to one that was `held` before."""
    return held + upstream * oracle.finite_difference(steps, of, wrt)
