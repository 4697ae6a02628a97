"""Extension 2: the judge sets the gradients, and computes where every parameter must end up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from vocabulary import Learner, Value

from grader.suite import Expected, Program, Symbol, oracle

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

Step = Callable[[Sequence[float]], float]
"""Computes how far a parameter moves in the last step, divided by -lr, from all its gradients."""


def test_sgd(learner: Learner) -> None:
    """Plain SGD moves every parameter by -lr times its gradient"""
    for rate in (0.1, 0.5):
        _check(learner, "SGD", (rate,), _momentum(0.0), SIX_STEPS[:3])
    _check(learner, "SGD", (0.1,), _momentum(0.0), TWELVE_STEPS, starts=TWELVE)


def test_momentum(learner: Learner) -> None:
    """Momentum adds up past gradients, older ones counting less"""
    for momentum in (0.9, 0.5, 0.99):
        _check(learner, "SGD", (0.1, momentum), _momentum(momentum), SIX_STEPS)


def test_sgd_rate(learner: Learner) -> None:
    """SGD reads `lr` at every step, so you can change it"""
    _check(
        learner, "SGD", (0.1, 0.5), _momentum(0.5), SIX_STEPS, rates=(0.1, 0.1, 0.02, 0.0, 0.4, 0.4)
    )


def test_sgd_zero_grad(learner: Learner) -> None:
    """`zero_grad()` of SGD clears the gradients and nothing else"""
    _check_zero_grad(learner, "SGD", (0.1, 0.5), _momentum(0.5))


def test_sgd_apart(learner: Learner) -> None:
    """Two SGD optimizers do not affect each other"""
    _check_apart(learner, "SGD", (0.1, 0.5), _momentum(0.5))


def test_sgd_descends(learner: Learner) -> None:
    """Every SGD step down a bowl lands where it should"""
    _check_descent(learner, "SGD", (0.1, 0.5), _momentum(0.5))


def test_adam_first_step(learner: Learner) -> None:
    """Adam's first step moves every parameter by `lr`"""
    for defaults, gradients in (((0.9, 0.999), (50.0, -0.02, 1.0)), ((), (-3.0, 0.5, 200.0))):
        _check(learner, "Adam", (0.1, *defaults), _adam(0.9, 0.999, 1e-8), [gradients])


def test_adam(learner: Learner) -> None:
    """Six steps of Adam with changing gradients"""
    for betas in ((0.9, 0.999), (0.5, 0.75)):
        _check(learner, "Adam", (0.1, *betas, 1e-8), _adam(*betas, 1e-8), SIX_STEPS)
    _check(learner, "Adam", (0.001,), _adam(0.9, 0.999, 1e-8), TWELVE_STEPS, starts=TWELVE)


def test_adam_eps(learner: Learner) -> None:
    """Adam adds eps outside the root; a gradient of 0 is fine"""
    _check(learner, "Adam", (0.1, 0.9, 0.99, 0.5), _adam(0.9, 0.99, 0.5), SIX_STEPS)
    _check(
        learner,
        "Adam",
        (0.1, 0.9, 0.99, 1e-8),
        _adam(0.9, 0.99, 1e-8),
        [(0.0, 1.0, 0.0), (2.0, 0.0, 0.0)],
    )
    defaults = _adam(0.9, 0.999, 1e-8)  # a gradient as small as eps shows its default
    _check(learner, "Adam", (), defaults, [(50.0, 1e-8, -1.0)], rates=(0.001,))


def test_adam_rate(learner: Learner) -> None:
    """Adam reads `lr` at every step, so you can change it"""
    arguments = 0.1, 0.9, 0.99, 1e-8
    _check(
        learner,
        "Adam",
        arguments,
        _adam(*arguments[1:]),
        SIX_STEPS,
        rates=(0.1, 0.1, 0.02, 0.0, 0.4, 0.4),
    )


def test_adam_zero_grad(learner: Learner) -> None:
    """`zero_grad()` of Adam clears the gradients and nothing else"""
    _check_zero_grad(learner, "Adam", (0.1, 0.9, 0.99, 1e-8), _adam(0.9, 0.99, 1e-8))


def test_adam_apart(learner: Learner) -> None:
    """Two Adam optimizers do not affect each other"""
    _check_apart(learner, "Adam", (0.1, 0.9, 0.99, 1e-8), _adam(0.9, 0.99, 1e-8))


def test_adam_descends(learner: Learner) -> None:
    """Every Adam step down a bowl lands where it should"""
    _check_descent(learner, "Adam", (0.1, 0.9, 0.99, 1e-8), _adam(0.9, 0.99, 1e-8))


# --- the right steps, in closed form: sums over all gradients ---


def _average(numbers: Sequence[float], keep: float) -> float:
    """Return the sum of keep**age * number; the newest number has age 0."""
    return sum(number * keep**age for age, number in enumerate(reversed(numbers)))


def _momentum(momentum: float) -> Step:
    return lambda gradients: _average(gradients, momentum)


def _adam(beta1: float, beta2: float, eps: float) -> Step:
    def step(gradients: Sequence[float]) -> float:
        count = len(gradients)
        mean = (1 - beta1) * _average(gradients, beta1) / (1 - beta1**count)
        square = (
            (1 - beta2)
            * _average([gradient**2 for gradient in gradients], beta2)
            / (1 - beta2**count)
        )
        return mean / (math.sqrt(square) + eps)

    return step


class Copy:
    """The judge's own parameters: their numbers, and all their gradients."""

    def __init__(self, starts: Sequence[float], step: Step) -> None:
        self.numbers = list(starts)
        self._history: list[list[float]] = [[] for _ in starts]
        self._step = step

    def move(self, gradients: Sequence[float], rate: float) -> None:
        """Take one step."""
        for index, gradient in enumerate(gradients):
            self._history[index].append(gradient)
            self.numbers[index] -= rate * self._step(self._history[index])


# --- checks ---


def _parameters(
    learner: Learner, starts: Sequence[float], names: str = "pqrstuvwxyzo"
) -> list[Value]:
    return [learner.value(number, name) for number, name in zip(starts, names)]


def _optimizer(
    learner: Learner,
    kind: str,
    parameters: Sequence[Value],
    arguments: Sequence[float],
    name: str = "",
) -> Symbol:
    given = [parameter.ref for parameter in parameters]
    return learner.make(Symbol, kind, given, *arguments, name=name or "optimizer")


def _one_step(optimizer: Symbol, parameters: Sequence[Value], gradients: Sequence[float]) -> None:
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = gradient
    optimizer.call("step")


def _places(parameters: Sequence[Value], copy: Copy) -> list[Expected]:
    return [Expected(parameter.data, number) for parameter, number in zip(parameters, copy.numbers)]


def _check(  # noqa: PLR0913 - an optimizer and its use
    learner: Learner,
    kind: str,
    arguments: Sequence[float],
    step: Step,
    gradients: Sequence[Sequence[float]],
    *,
    rates: Sequence[float] = (),
    starts: Sequence[float] = STARTS,
) -> None:
    """Set gradients and step, repeatedly; check every parameter each time, and that its gradient
    stays as it is.
    """
    parameters, copy = _parameters(learner, starts), Copy(starts, step)
    optimizer = _optimizer(learner, kind, parameters, arguments)
    rates = rates or (arguments[0],) * len(gradients)
    why = "`lr` must be the learning rate as given" + ("" if arguments else f", or {rates[0]}")
    learner.expect(optimizer.reading("lr"), rates[0], why)
    for number, row in enumerate(gradients):
        rate = rates[number]
        if number and rate != rates[number - 1]:
            optimizer.put("lr", rate)
        _one_step(optimizer, parameters, row)
        copy.move(row, rate)
        learner.expect_all(_places(parameters, copy))
        untouched = [(parameter.grad, gradient) for parameter, gradient in zip(parameters, row)]
        learner.expect_all(untouched, "`step()` must not change the gradients")
    learner.fresh()


def _check_zero_grad(learner: Learner, kind: str, arguments: Sequence[float], step: Step) -> None:
    parameters, copy = _parameters(learner, STARTS), Copy(STARTS, step)
    optimizer = _optimizer(learner, kind, parameters, arguments)
    for row in SIX_STEPS[:3]:
        _one_step(optimizer, parameters, row)
        copy.move(row, arguments[0])
        optimizer.call("zero_grad")
        learner.expect_all(
            [(parameter.grad, 0.0) for parameter in parameters],
            "`zero_grad()` must clear every gradient",
        )
        learner.expect_all(_places(parameters, copy))


def _check_apart(learner: Learner, kind: str, arguments: Sequence[float], step: Step) -> None:
    """Check two optimizers that take turns, each with its own parameters."""
    first, second = _parameters(learner, STARTS[:2], "pq"), _parameters(learner, STARTS[:2], "xy")
    one, other = (
        _optimizer(learner, kind, first, arguments, "one"),
        _optimizer(learner, kind, second, arguments, "other"),
    )
    copy_one, copy_other = Copy(STARTS[:2], step), Copy(STARTS[:2], step)
    for number, row in enumerate(SIX_STEPS[:4]):
        _one_step(one, first, row)
        copy_one.move(row[:2], arguments[0])
        if number % 2:
            _one_step(other, second, row[1:])
            copy_other.move(row[1:], arguments[0])
        wanted = [*_places(first, copy_one), *_places(second, copy_other)]
        learner.expect_all(wanted)
    again, copy_again = (
        _optimizer(learner, kind, first, arguments, "again"),
        Copy(copy_one.numbers, step),
    )
    _one_step(again, first, SIX_STEPS[4])
    copy_again.move(SIX_STEPS[4][:2], arguments[0])
    why = "a new optimizer must begin without the memory of an earlier one"
    learner.expect_all(_places(first, copy_again), why)


def _check_descent(learner: Learner, kind: str, arguments: Sequence[float], step: Step) -> None:
    """Check every step of minimising the sum of (p - target)**2, with a new graph each time."""
    parameters, copy = _parameters(learner, STARTS), Copy(STARTS, step)
    optimizer = _optimizer(learner, kind, parameters, arguments)
    for number in range(DESCENT):
        first, second, third = (
            (parameter - target) ** 2 for parameter, target in zip(parameters, TARGETS)
        )
        loss = learner.named(f"loss{number}", first + second + third)
        optimizer.call("zero_grad")
        loss.backward()
        optimizer.call("step")
        copy.move(_slopes(copy.numbers), arguments[0])
        learner.expect_all(_places(parameters, copy))


def _slopes(numbers: Sequence[float]) -> list[float]:
    """Return the gradients of the bowl at these numbers."""
    program = Program("Value")
    leaves = [program.leaf(number) for number in numbers]
    squares = [
        program.apply("**", program.apply("-", leaf, target), 2)
        for leaf, target in zip(leaves, TARGETS)
    ]
    loss = program.apply("+", program.apply("+", squares[0], squares[1]), squares[2])
    found = oracle.gradients(program.steps, loss, leaves)
    return [found[leaf] for leaf in leaves]
