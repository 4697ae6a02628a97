"""Phase 1: a pair of numbers, sums and differences."""

from __future__ import annotations

from vocabulary import Dual, Learner


def test_parts(learner: Learner) -> None:
    """`Dual(3.0, 2.0)` keeps its value and its slope"""
    for value, slope in ((3.0, 2.0), (-1.5, 0.25), (7, -4)):
        x = learner.dual(value, slope, "x")
        learner.expect_all(
            [(x.value, value), (x.slope, slope)], "`Dual(value, slope)` must keep both numbers"
        )
    a, b = learner.dual(2.0, 5.0, "a"), learner.dual(3.0, 7.0, "b")
    learner.expect_all(
        [(a.value, 2.0), (a.slope, 5.0), (b.value, 3.0), (b.slope, 7.0)],
        "every Dual needs its own numbers",
    )


def test_constant(learner: Learner) -> None:
    """`Dual(5.0)` is a constant: its slope is 0"""
    c = learner.make(Dual, "Dual", 5.0, name="c")
    learner.expect_all(
        [(c.value, 5.0), (c.slope, 0.0)], "a constant does not change, so its slope must be 0"
    )


def test_plus(learner: Learner) -> None:
    """`a + b` and `a + 3` add the values and the slopes"""
    learner.check_operation("v + v", "v + k")


def test_number_plus(learner: Learner) -> None:
    """`3 + a` works with the number on the left"""
    learner.check_operation("k + v")


def test_negative(learner: Learner) -> None:
    """`-a` has both signs turned round"""
    learner.check_operation("-v")


def test_minus(learner: Learner) -> None:
    """`a - b` and `a - 3` subtract the values and the slopes"""
    learner.check_operation("v - v", "v - k")


def test_number_minus(learner: Learner) -> None:
    """`3 - a` is not `a - 3`"""
    learner.check_operation("k - v")


def test_expressions(learner: Learner) -> None:
    """Sums of sums, with reused parts"""
    learner.check_expressions("v + v", "v + k", "k + v", "-v", "v - v", "v - k", "k - v")
