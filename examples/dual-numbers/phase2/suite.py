"""Phase 2: products, quotients, powers."""

from __future__ import annotations

from vocabulary import Learner


def test_times(learner: Learner) -> None:
    """`a * b` and `a * 3` follow the product rule"""
    learner.check_operation("v * v", "v * k")


def test_number_times(learner: Learner) -> None:
    """`3 * a` works with the number on the left"""
    learner.check_operation("k * v")


def test_divided(learner: Learner) -> None:
    """`a / b` and `a / 3` follow the quotient rule"""
    learner.check_operation("v / v", "v / k")


def test_number_divided(learner: Learner) -> None:
    """`3 / a` is not `a / 3`"""
    learner.check_operation("k / v")


def test_power(learner: Learner) -> None:
    """`a ** n` multiplies by the slope of its base"""
    learner.check_operation("v ** k")
    for exponent, slope in ((2, 0.0), (3.0, 0.0), (1, 5.0)):  # drawn bases are never near 0
        x = learner.dual(0.0, 5.0, "x")
        y = x**exponent
        learner.expect_all(
            [(y.value, 0.0), (y.slope, slope)], "a power of 0 must have a slope, too"
        )
        learner.fresh()


def test_exponent(learner: Learner) -> None:
    """A Dual as the exponent raises TypeError"""
    a, b = learner.dual(2.0, 5.0, "a"), learner.dual(3.0, 7.0, "b")
    # without `__pow__` Python raises TypeError, too
    learner.expect((a**2).value, 4.0, "a number as the exponent must be accepted")
    why = "a Dual as the exponent must raise TypeError: its slope would be lost"
    with learner.raises(TypeError, why=why):
        a**b


def test_expressions(learner: Learner) -> None:
    """All operators together, with reused parts"""
    learner.check_expressions(
        "v + v",
        "k + v",
        "v - v",
        "k - v",
        "v * v",
        "v * k",
        "k * v",
        "v / v",
        "v / k",
        "k / v",
        "-v",
        "v ** k",
    )
