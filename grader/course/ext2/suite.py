"""Extension 2: the judge sets the gradients, and computes where every parameter must end up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from vocabulary import Learner, Value

from grader.suite import Expected, Symbol

STARTS = (1.0, -2.0, 0.5)
SIX_STEPS = (
    (2.0, -0.5, 0.25),
    (1.0, -0.5, -3.0),
    (-0.5, 1.5, 0.0),
    (0.0, 2.0, 0.5),
    (3.0, -1.0, 0.5),
    (-1.5, 0.25, 1.0),
)
TWELVE = tuple(number // 3 - 1 for number in range(12))  # ints, and some are equal
TWELVE_STEPS = [[(-1.5) ** (row % 7) * (at - 4.5) for at in range(12)] for row in range(12)]
TARGETS = (3.0, -1.0, 2.5)
DESCENT = 8

RATES = (0.1, 0.1, 0.02, 0.0, 0.4, 0.4)


def test_sgd(learner: Learner) -> None:
    """SGD moves each parameter by -lr * its gradient"""
    for rate in (0.1, 0.5):
        _check(learner, _sgd(0.0, rate), SIX_STEPS[:3])
    _check(learner, _sgd(0.0, 0.1), TWELVE_STEPS, starts=TWELVE)


def test_momentum(learner: Learner) -> None:
    """With momentum, past gradients count less and less"""
    for momentum in (0.9, 0.5, 0.99):
        _check(learner, _sgd(momentum, 0.1, momentum), SIX_STEPS)


def test_sgd_rate(learner: Learner) -> None:
    """SGD reads `lr` at every step"""
    _check(learner, SGD, SIX_STEPS, rates=RATES)


def test_sgd_zero_grad(learner: Learner) -> None:
    """`zero_grad()` of SGD clears only the gradients"""
    _check_zero_grad(learner, SGD)


def test_sgd_apart(learner: Learner) -> None:
    """Two SGD optimizers do not affect each other"""
    _check_apart(learner, SGD)


def test_sgd_descends(learner: Learner) -> None:
    """Every SGD step down a bowl lands where it should"""
    _check_descent(learner, SGD)


def test_adam_first_step(learner: Learner) -> None:
    """Adam's first step moves every parameter by `lr`"""
    _check(learner, _adam(0.9, 0.999, 1e-8, 0.1, 0.9, 0.999), [(50.0, -0.02, 1.0)])
    _check(learner, _adam(0.9, 0.999, 1e-8, 0.1), [(-3.0, 0.5, 200.0)])


def test_adam(learner: Learner) -> None:
    """Six steps of Adam with changing gradients"""
    for betas in ((0.9, 0.999), (0.5, 0.75)):
        _check(learner, _adam(*betas, 1e-8, 0.1, *betas, 1e-8), SIX_STEPS)
    _check(learner, _adam(0.9, 0.999, 1e-8, 0.001), TWELVE_STEPS, starts=TWELVE)


def test_adam_eps(learner: Learner) -> None:
    """Adam adds eps outside the square root"""
    _check(learner, _adam(0.9, 0.99, 0.5, 0.1, 0.9, 0.99, 0.5), SIX_STEPS)
    _check(learner, ADAM, [(0.0, 1.0, 0.0), (0.0, 0.0, 0.0), (2.0, 0.0, 0.0)])
    # a gradient as small as eps shows its default
    _check(learner, _adam(0.9, 0.999, 1e-8), [(50.0, 1e-8, -1.0)], rates=(0.001,))


def test_adam_rate(learner: Learner) -> None:
    """Adam reads `lr` at every step"""
    _check(learner, ADAM, SIX_STEPS, rates=RATES)


def test_adam_zero_grad(learner: Learner) -> None:
    """`zero_grad()` of Adam clears only the gradients"""
    _check_zero_grad(learner, ADAM)


def test_adam_apart(learner: Learner) -> None:
    """Two Adam optimizers do not affect each other"""
    _check_apart(learner, ADAM)


def test_adam_descends(learner: Learner) -> None:
    """Every Adam step down a bowl lands where it should"""
    _check_descent(learner, ADAM)


# --- the right steps, in closed form: sums over all gradients ---


class Optimizer(NamedTuple):
    """A learner's optimizer, its arguments, and how far a parameter moves in the last step, divided
    by -lr, for all its gradients.
    """

    kind: str
    arguments: Sequence[float]
    step: Callable[[Sequence[float]], float]


def _average(numbers: Sequence[float], keep: float) -> float:
    """Return the sum of keep**age * number; the newest number has age 0."""
    return sum(number * keep**age for age, number in enumerate(reversed(numbers)))


def _sgd(momentum: float, *arguments: float) -> Optimizer:
    return Optimizer("SGD", arguments, lambda gradients: _average(gradients, momentum))


def _adam(beta1: float, beta2: float, eps: float, *arguments: float) -> Optimizer:
    def step(gradients: Sequence[float]) -> float:
        count = len(gradients)
        squares = [gradient**2 for gradient in gradients]
        mean = (1 - beta1) * _average(gradients, beta1) / (1 - beta1**count)
        square = (1 - beta2) * _average(squares, beta2) / (1 - beta2**count)
        return mean / (math.sqrt(square) + eps)

    return Optimizer("Adam", arguments, step)


SGD = _sgd(0.5, 0.1, 0.5)
ADAM = _adam(0.9, 0.99, 1e-8, 0.1, 0.9, 0.99, 1e-8)


class Run:
    """The learner's parameters with an optimizer, and the judge's own: their numbers, and all their
    gradients.
    """

    def __init__(
        self,
        learner: Learner,
        optimizer: Optimizer,
        parameters: Sequence[Value],
        starts: Sequence[float],
        name: str = "optimizer",
    ) -> None:
        self.parameters, self.numbers, self.step = parameters, list(starts), optimizer.step
        given = [parameter.ref for parameter in parameters]
        self.optimizer = learner.make(
            Symbol, optimizer.kind, given, *optimizer.arguments, name=name
        )
        self.rate = next(iter(optimizer.arguments), 0.0)
        self._history: list[list[float]] = [[] for _ in starts]

    def move(self, gradients: Sequence[float]) -> None:
        """Take the judge's step."""
        for index, (gradient, history) in enumerate(zip(gradients, self._history)):
            history.append(gradient)
            self.numbers[index] -= self.rate * self.step(history)

    def take_step(self, gradients: Sequence[float]) -> None:
        """Record a step with these gradients, and take the judge's."""
        for parameter, gradient in zip(self.parameters, gradients):
            parameter.grad = gradient
        self.optimizer.call("step")
        self.move(gradients)

    def places(self) -> list[Expected]:
        """Return where every parameter must be."""
        return [Expected(one.data, number) for one, number in zip(self.parameters, self.numbers)]


def _parameters(
    learner: Learner, starts: Sequence[float], names: str = "pqrstuvwxyzo"
) -> list[Value]:
    return [learner.value(number, name) for number, name in zip(starts, names)]


# --- checks ---


def _check(
    learner: Learner,
    optimizer: Optimizer,
    gradients: Sequence[Sequence[float]],
    *,
    rates: Sequence[float] = (),
    starts: Sequence[float] = STARTS,
) -> None:
    """Set gradients and step, repeatedly; check every parameter each time, and that its gradient
    stays as it is.
    """
    run = Run(learner, optimizer, _parameters(learner, starts), starts)
    run.rate = rates[0] if rates else run.rate
    why = "`lr` must be the learning rate as given"
    why += "" if optimizer.arguments else f", or {run.rate}"
    learner.expect(run.optimizer.reading("lr"), run.rate, why)
    for row, rate in zip(gradients, rates or [run.rate] * len(gradients)):
        if rate != run.rate:
            run.optimizer.put("lr", rate)
        run.rate = rate
        run.take_step(row)
        learner.expect_all(run.places())
        untouched = [(one.grad, gradient) for one, gradient in zip(run.parameters, row)]
        learner.expect_all(untouched, "`step()` must not change the gradients")
    learner.fresh()


def _check_zero_grad(learner: Learner, optimizer: Optimizer) -> None:
    starts = (1.0, -2.0, 0.0)
    run = Run(learner, optimizer, _parameters(learner, starts), starts)
    for row, run.rate in zip(SIX_STEPS, (0.0, 0.1, 0.1)):  # the first moves nothing away from 0
        run.optimizer.put("lr", run.rate)
        run.take_step(row)
        run.optimizer.call("zero_grad")
        cleared = [(parameter.grad, 0.0) for parameter in run.parameters]
        learner.expect_all(cleared, "`zero_grad()` must clear every gradient")
        learner.expect_all(run.places())


def _check_apart(learner: Learner, optimizer: Optimizer) -> None:
    """Check two optimizers that take turns, each with its own parameters."""
    starts = STARTS[:2]
    first, second = _parameters(learner, starts, "pq"), _parameters(learner, starts, "xy")
    one = Run(learner, optimizer, first, starts, "one")
    other = Run(learner, optimizer, second, starts, "other")
    for number, row in enumerate(SIX_STEPS[:4]):
        one.take_step(row[:2])
        if number % 2:
            other.take_step(row[1:])
        learner.expect_all([*one.places(), *other.places()])
    again = Run(learner, optimizer, first, one.numbers, "again")
    again.take_step(SIX_STEPS[4][:2])
    why = "a new optimizer must begin without the memory of an earlier one"
    learner.expect_all(again.places(), why)


def _check_descent(learner: Learner, optimizer: Optimizer) -> None:
    """Check every step of minimising the sum of (p - target)**2, with a new graph each time."""
    run = Run(learner, optimizer, _parameters(learner, STARTS), STARTS)
    for number in range(DESCENT):
        first, second, third = (
            (parameter - target) ** 2 for parameter, target in zip(run.parameters, TARGETS)
        )
        loss = learner.named(f"loss{number}", first + second + third)
        run.optimizer.call("zero_grad")
        loss.backward()
        run.optimizer.call("step")
        run.move([2 * (number - target) for number, target in zip(run.numbers, TARGETS)])
        learner.expect_all(run.places())
