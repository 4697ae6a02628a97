"""Phase 6: each activation alone, inside expressions, used twice, and at the edges."""

from __future__ import annotations

import math
from functools import partial

from vocabulary import LARGE_QUOTA, OPERATIONS, Learner

ACTIVATIONS = ("tanh v", "relu v", "exp v")


def test_tanh(learner: Learner) -> None:
    """`a.tanh()` is the hyperbolic tangent"""
    learner.check_operation("tanh v", gradient=False)
    learner.check_values("tanh", -20.0, -5.0, -0.04, 0.0, 0.04, 2, 3.5, 20.0)


def test_tanh_backward(learner: Learner) -> None:
    """tanh passes its gradient on"""
    learner.check_operation("tanh v", gradient=True)
    learner.check_at("tanh v", (0.04,), (-0.04,), (0,), (4.0,), (-7.0,), (20.0,))


def test_relu(learner: Learner) -> None:
    """`a.relu()` is `a` if `a` > 0, and otherwise 0"""
    learner.check_operation("relu v", quota=LARGE_QUOTA, gradient=False)
    learner.check_values("relu", -20.0, -0.3, 0.0, 0.3, 0.9, 2, 20.0)


def test_relu_backward(learner: Learner) -> None:
    """relu passes its gradient on only if `a` > 0"""
    learner.check_operation("relu v", quota=LARGE_QUOTA, gradient=True)
    learner.check_at("relu v", (1e-6,), (-1e-6,), (3,), (50.0,), (-50.0,), (1e6,), (-1e6,))


def test_relu_kink(learner: Learner) -> None:
    """relu has the derivative 0 at exactly 0"""
    learner.ask("the derivative of relu at exactly 0")
    why = "in this course relu has the derivative 0 at 0"
    zeros = [(zero, 0.0, 0.0) for zero in (0.0, -0.0, 0)]
    learner.check_slopes(partial(learner.apply, "relu"), *zeros, why=why)
    learner.check_at("relu v", (1,))


def test_exp(learner: Learner) -> None:
    """`a.exp()` is e to the power of `a`"""
    learner.check_operation("exp v", gradient=False)
    learner.check_values("exp", -1000.0, -100.0, -20.0, -5.0, 0.0, 0.004, 2, 5.0, 20.0, 100.0)


def test_exp_backward(learner: Learner) -> None:
    """exp passes its gradient on"""
    learner.check_operation("exp v", gradient=True)
    learner.check_at("exp v", (0,), (5.0,), (20.0,), (-5.0,), (50.0,))


def test_new_node(learner: Learner) -> None:
    """An activation leaves its operand unchanged"""
    learner.check_untouched(*ACTIVATIONS)
    a = learner.value(-2.0, "a")
    learner.expect_reached(learner.named("b", learner.apply("relu", a)), [a])


def test_inside(learner: Learner) -> None:
    """Each activation works inside an expression"""
    learner.check_inside(*ACTIVATIONS, quota=40)


def test_used_twice(learner: Learner) -> None:
    """An activation adds to an existing gradient"""
    learner.check_reuse(*ACTIVATIONS, quota=24)


def test_random_graphs(learner: Learner) -> None:
    """Gradients are right in 100 graphs with activations"""
    learner.check_random_graphs(*ACTIVATIONS, *ACTIVATIONS, *OPERATIONS)


def test_tanh_far_out(learner: Learner) -> None:
    """Bonus: tanh works at -1,000,000 and 1,000,000"""
    far = ((1e6, 1.0, 0.0), (-1e6, -1.0, 0.0), (400.0, 1.0, 0.0))
    learner.check_slopes(partial(learner.apply, "tanh"), *far)


def test_exp_overflow(learner: Learner) -> None:
    """Bonus: exp(1000) overflows or returns inf"""
    learner.check_values("exp", 700.0)
    a = learner.value(1000.0, "a")
    learner.run()
    b = learner.apply("exp", a)
    if (refused := learner.raised()) is None:
        learner.expect(
            b.data,
            math.inf,
            "exp(1000) is too large for a float: raise OverflowError or return inf",
        )
    elif "OverflowError" not in refused.fault.types:
        raise refused
