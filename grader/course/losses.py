"""A learner's loss functions: the loss, its gradients, and the list of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guesses import Guesses, guessing, noticing_cuts
from networks import Copy, Shape
from training import Loss, max_margin, squared
from training_guesses import MARGIN, PREDICTIONS, SCORES, SQUARED
from vocabulary import Learner, Value

from grader.suite import Expected, Mismatch, Reading, Symbol


class LossFunction(NamedTuple):
    """One of the learner's losses, the judge's own, and how to explain a wrong one."""

    name: str
    compute: Loss
    targets: str
    guesses: Guesses
    tries: Sequence[Sequence[object]]


SQUARED_LOSS = LossFunction("squared_loss", squared, "targets", SQUARED, PREDICTIONS)
MARGIN_LOSS = LossFunction("max_margin_loss", max_margin, "labels", MARGIN, SCORES)


def check_loss(
    learner: Learner, loss: LossFunction, numbers: Sequence[float], targets: Sequence[float]
) -> None:
    """Check a loss of these numbers, its gradients, and that it leaves its list unchanged."""
    copy = Copy(Shape(0, (), ()), numbers)
    wanted = loss.compute(copy, copy.parameters, targets)
    given, listed = _predictions(learner, numbers)
    total = learner.make(Value, loss.name, listed.ref, list(targets), name="loss")
    total.backward()

    def ask(predictions: Sequence[float], wanted: Sequence[float]) -> Reading:
        listed = _predictions(learner, predictions)[1]
        return learner.make(Value, loss.name, listed.ref, list(wanted), name="loss").data

    with guessing(learner, loss.guesses, loss.tries, ask):
        learner.expect(total.data, copy.value(wanted))
    slopes = copy.gradients(wanted)
    with noticing_cuts():
        learner.expect_all([Expected(value.grad, slope) for value, slope in zip(given, slopes)])
    kept = listed.reading("", "refs")
    if learner.read([kept]) != [[value.ref for value in given]]:
        raise Mismatch(
            f"`{loss.name}` must not change the list of predictions",
            expected="the same Values",
            got="a changed list",
            reading=kept,
        )
    learner.fresh()


def check_targets_kept(learner: Learner, loss: LossFunction) -> None:
    """Check that a loss leaves its list of targets unchanged."""
    targets = learner.expression("[1.0, -1.0]", loss.targets)
    learner.make(Value, loss.name, _predictions(learner, [0.5, -2.0])[1].ref, targets, name="loss")
    why = f"`{loss.name}` must not change the list of {loss.targets}"
    learner.expect(targets.reading(), [1.0, -1.0], why)
    learner.fresh()


def _predictions(learner: Learner, numbers: Sequence[float]) -> tuple[list[Value], Symbol]:
    """Make a Value of each number, and a list of them."""
    given = [learner.value(number, f"p{index}") for index, number in enumerate(numbers)]
    listed = learner.builtin("list", [value.ref for value in given])
    return given, learner.named("predictions", listed)
