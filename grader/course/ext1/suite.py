"""Extension 1: each function alone, inside expressions, used twice, and at the edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vocabulary import LARGE_QUOTA, OPERATIONS, Learner, Value

from grader.suite import Call, Ref, apply_function

FUNCTIONS = ("log", "sin", "cos", "sigmoid")
FORMS = tuple(f"{name} v" for name in FUNCTIONS)


class Functions(Learner):
    """A Learner whose programs call functions such as `log(x)` instead of methods."""

    def function(self, name: str, x: Value) -> Value:
        """Record `name(x)`."""
        return self.make(Value, name, x.ref)

    def _node(self, step: Any, nodes: dict[Ref, Value], letters: Iterator[str]) -> Value:
        if isinstance(step, Call):
            return self.function(step.method, nodes[step.on])
        return super()._node(step, nodes, letters)

    def check_numbers(self, name: str, numbers: Sequence[float]) -> None:
        """Check the values of a function at chosen numbers, not its derivative."""
        for number in numbers:
            a = self.value(number, "a")
            self.expect(self.function(name, a).data, apply_function(name, number))
            self.fresh()


def test_log(learner: Learner) -> None:
    """`log(x)` is the natural logarithm"""
    _check_number(learner, "log", (0.01, 0.5, 1.0, 2, 100.0))


def test_log_backward(learner: Learner) -> None:
    """`_backward` of log multiplies the gradient by 1/x"""
    functions = Functions(learner.recorder)
    functions.check_operation("log v", quota=LARGE_QUOTA, gradient=True)
    functions.check_at("log v", (0.01,), (1,), (1e4,))


def test_log_edge(learner: Learner) -> None:
    """log raises ValueError at 0 or below, and clamps nothing"""
    functions = Functions(learner.recorder)
    for number in (0.0, -1.5, 0):
        a = functions.value(number, "a")
        why = f"{number} has no logarithm: let `math.log` raise its ValueError"
        with learner.raises(ValueError, why=why):
            functions.function("log", a)
        learner.fresh()
    functions.check_numbers("log", (1e-9, 1e-300))


def test_sin(learner: Learner) -> None:
    """`sin(x)` is the sine of an angle in radians"""
    _check_number(learner, "sin", (-20.0, -1.5, 0.0, 1.5, 3, 20.0))


def test_sin_backward(learner: Learner) -> None:
    """`_backward` of sin multiplies the gradient by cos(x)"""
    Functions(learner.recorder).check_operation("sin v", gradient=True)


def test_cos(learner: Learner) -> None:
    """`cos(x)` is the cosine of an angle in radians"""
    _check_number(learner, "cos", (-20.0, -1.5, 0.0, 1.5, 3, 20.0))


def test_cos_backward(learner: Learner) -> None:
    """`_backward` of cos multiplies the gradient by -sin(x)"""
    Functions(learner.recorder).check_operation("cos v", gradient=True)


def test_sigmoid(learner: Learner) -> None:
    """`sigmoid(x)` is 1 / (1 + e**-x)"""
    _check_number(learner, "sigmoid", (-20.0, -3.5, 0.0, 2, 3.5, 20.0))


def test_sigmoid_backward(learner: Learner) -> None:
    """`_backward` of sigmoid multiplies the gradient by s*(1 - s)"""
    Functions(learner.recorder).check_operation("sigmoid v", gradient=True)


def test_sigmoid_far_out(learner: Learner) -> None:
    """sigmoid works at -800 and at 800, forward and backward"""
    learner.ask("sigmoid of very large and very small numbers")
    functions = Functions(learner.recorder)
    for number, value in ((800.0, 1.0), (-800.0, 0.0), (40.0, 1.0), (-40.0, 0.0)):
        a = functions.value(number, "a")
        b = functions.function("sigmoid", a)
        functions.send_back(b, 3.0, a)
        learner.expect_all(
            [(b.data, value), (a.grad, 0.0)],
            f"sigmoid({number:g}) is very close to {value:g}, and its slope to 0",
        )
        learner.fresh()


def test_operands_untouched(learner: Learner) -> None:
    """A function makes a new Value and leaves its operand alone"""
    Functions(learner.recorder).check_untouched(*FORMS)


def test_inside(learner: Learner) -> None:
    """Each function passes the gradient on inside an expression"""
    Functions(learner.recorder).check_inside(*FORMS, quota=40)


def test_used_twice(learner: Learner) -> None:
    """A value used in a function and elsewhere gets both shares"""
    Functions(learner.recorder).check_reuse(*FORMS, quota=24)


def test_random_graphs(learner: Learner) -> None:
    """Gradients are correct in 100 random graphs with functions"""
    Functions(learner.recorder).check_random_graphs(*FORMS, *FORMS, *OPERATIONS)


def _check_number(learner: Learner, name: str, numbers: Sequence[float]) -> None:
    functions = Functions(learner.recorder)
    functions.check_operation(f"{name} v", gradient=False)
    functions.check_numbers(name, numbers)
