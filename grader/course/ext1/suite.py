"""Extension 1: each function alone, inside expressions, used twice, and at the edges."""

from __future__ import annotations

from functools import partial

from vocabulary import LARGE_QUOTA, OPERATIONS, Learner, Value

from grader.suite import Recorder, fixture

FUNCTIONS = ("log", "sin", "cos", "sigmoid")
FORMS = tuple(f"{name} v" for name in FUNCTIONS)


class Functions(Learner):
    """A Learner whose programs call functions such as `log(x)` instead of methods."""

    def function(self, name: str, x: Value) -> Value:
        """Record `name(x)`."""
        return self.make(Value, name, x.ref)


@fixture
def learner(recorder: Recorder) -> Functions:
    """Return the learner's code, with functions."""
    return Functions(recorder)


def test_log(learner: Functions) -> None:
    """`log(x)` is the natural logarithm"""
    learner.check_operation("log v", gradient=False)
    learner.check_values("log", 0.01, 0.5, 1.0, 2, 100.0)


def test_log_backward(learner: Functions) -> None:
    """`log(x)` passes on its gradient times 1/x"""
    learner.check_operation("log v", quota=LARGE_QUOTA, gradient=True)
    learner.check_at("log v", (0.01,), (1,), (1e4,))


def test_log_edge(learner: Functions) -> None:
    """log raises ValueError at 0 or below"""
    for number in (0.0, -1.5, 0):
        a = learner.value(number, "a")
        why = f"{number} has no logarithm: let `math.log` raise its ValueError"
        with learner.raises(ValueError, why=why):
            learner.apply("log", a)
        learner.fresh()
    learner.check_values("log", 1e-9, 1e-300)


def test_sin(learner: Functions) -> None:
    """`sin(x)` is the sine of an angle in radians"""
    learner.check_operation("sin v", gradient=False)
    learner.check_values("sin", -20.0, -1.5, 0.0, 1.5, 3, 20.0)


def test_sin_backward(learner: Functions) -> None:
    """`sin(x)` passes on its gradient times cos(x)"""
    learner.check_operation("sin v", gradient=True)


def test_cos(learner: Functions) -> None:
    """`cos(x)` is the cosine of an angle in radians"""
    learner.check_operation("cos v", gradient=False)
    learner.check_values("cos", -20.0, -1.5, 0.0, 1.5, 3, 20.0)


def test_cos_backward(learner: Functions) -> None:
    """`cos(x)` passes on its gradient times -sin(x)"""
    learner.check_operation("cos v", gradient=True)


def test_sigmoid(learner: Functions) -> None:
    """`sigmoid(x)` is 1 / (1 + e**-x)"""
    learner.check_operation("sigmoid v", gradient=False)
    learner.check_values("sigmoid", -20.0, -3.5, 0.0, 2, 3.5, 20.0)


def test_sigmoid_backward(learner: Functions) -> None:
    """sigmoid passes on its gradient times s*(1 - s)"""
    learner.check_operation("sigmoid v", gradient=True)


def test_sigmoid_far_out(learner: Functions) -> None:
    """sigmoid works at -800 and at 800"""
    learner.ask("sigmoid of very large and very small numbers")
    far = ((800.0, 1.0, 0.0), (-800.0, 0.0, 0.0), (40.0, 1.0, 0.0), (-40.0, 0.0, 0.0))
    why = "far from 0, sigmoid is very close to 0 or 1, and its slope to 0"
    learner.check_slopes(partial(learner.apply, "sigmoid"), *far, why=why)


def test_operands_untouched(learner: Functions) -> None:
    """A function leaves its operand unchanged"""
    learner.check_untouched(*FORMS)


def test_inside(learner: Functions) -> None:
    """Each function works inside an expression"""
    learner.check_inside(*FORMS, quota=40)


def test_used_twice(learner: Functions) -> None:
    """A function adds to an existing gradient"""
    learner.check_reuse(*FORMS, quota=24)


def test_random_graphs(learner: Functions) -> None:
    """Gradients are right in 100 graphs with functions"""
    learner.check_random_graphs(*FORMS, *FORMS, *OPERATIONS)
