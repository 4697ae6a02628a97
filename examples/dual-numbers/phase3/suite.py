"""Phase 3: derivatives and roots."""

from __future__ import annotations

from vocabulary import Learner, newton, right

from grader.suite import Expected

FORMULAS = (
    "x * x",
    "3 * x + 1",
    "x * x * x - 2 * x",
    "2 / x - x",
    "(x - 4) ** 3",
    "-x * (x + 1) / (x * x + 2)",
    "x ** 0.5 + x ** -1",
)
POINTS = (3.0, 0.5, 2)


def test_derivative(learner: Learner) -> None:
    """`derivative(f, x)` is right for all kinds of functions"""
    for formula in FORMULAS:
        for x in POINTS:
            _, slope, confirm = right(formula, x)
            found = learner.derivative(formula, x)
            learner.expect_all(
                [Expected(found.reading(), slope, confirm)],
                f"the derivative of {formula} at {x} is wrong",
            )
            learner.fresh()


def test_constant_function(learner: Learner) -> None:
    """`derivative(lambda x: 7.0, 3.0)` is 0"""
    for x in (3.0, -2.0):
        learner.expect(
            learner.derivative("7.0", x).reading(),
            0.0,
            "a function that ignores x has the derivative 0",
        )
        learner.fresh()


def test_newton_step(learner: Learner) -> None:
    """Each step of `newton` goes to where the line meets zero"""
    for formula, x in (
        ("x * x - 2", 1.0),
        ("x * x * x - 2 * x - 5", 3.0),
        ("1 / x - 3", 0.5),
        ("x * x - 2", -3),
    ):
        for steps in (1, 2, 0):
            where = newton(formula, x, steps)
            learner.expect(
                learner.newton(formula, x, steps).reading(),
                where,
                f"after {steps} step{'s' * (steps != 1)} from {x} on {formula}, x is wrong",
            )
            learner.fresh()


def test_newton_root(learner: Learner) -> None:
    """`newton(f, x)` finds roots"""
    for formula, x in (
        ("x * x - 2", 1.0),
        ("x * x - 2", -1.0),
        ("x * x * x - 2 * x - 5", 2.0),
        ("1 / x - 3", 0.3),
        ("(x - 4) * (x + 1)", 9),
    ):
        found = learner.newton(formula, x)
        learner.expect(
            found.reading(),
            newton(formula, x, 8),
            f"from {x}, Newton's method finds the root of {formula} in 8 steps",
        )
        learner.fresh()


def test_newton_stops(learner: Learner) -> None:
    """`newton` stops at a root, even if the slope there is 0"""
    for formula, x in (("x * x", 0.0), ("(x - 2) * (x - 2)", 2.0), ("(x - 2) * x", 2.0)):
        learner.expect(
            learner.newton(formula, x).reading(),
            x,
            f"f({x}) is already 0, so `newton` must return {x}",
        )
        learner.fresh()
    why = "a slope of 0 must raise ZeroDivisionError if f is not 0 there"
    with learner.raises(ZeroDivisionError, why=why):
        learner.newton("x * x + 1", 0.0)
