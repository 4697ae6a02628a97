"""The vocabulary of phase 8: a learner's losses and training, and the judge's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import NamedTuple

from networks import Copy, Network, Shape, make_mlp, set_weights
from vocabulary import Learner, Value

from grader.suite import Expected, Kind, Mismatch, Reading, Ref, Symbol, close

RATE = 0.05  # the default of `train`


class Loss(NamedTuple):
    """A loss: the learner's code for it, how the judge computes it, and the name of its targets."""

    code: str
    compute: Callable[[Copy, list[Ref], Sequence[float]], Ref]
    targets: str = ""

    def of(self, copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float]) -> Ref:
        """Return the loss of the judge's copy on these examples."""
        return self.compute(copy, [copy(x)[0] for x in xs], ys)


def _squared(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    program = copy.program
    differences = [program.apply("-", *pair) for pair in zip(outputs, targets)]
    return _total(copy, [program.apply("**", difference, 2) for difference in differences])


def _max_margin(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    program = copy.program
    margins = [program.apply("*", target, output) for output, target in zip(outputs, targets)]
    losses = [program.apply("relu", program.apply("-", 1, margin)) for margin in margins]
    return program.apply("/", _total(copy, losses), len(outputs))


def _total(copy: Copy, items: list[Ref]) -> Ref:
    return reduce(partial(copy.program.apply, "+"), items)


SQUARED = Loss("squared_loss", _squared, "targets")
MARGIN = Loss("max_margin_loss", _max_margin, "labels")
ASYMMETRIC = Loss(  # the course's own losses ignore the order of their arguments
    """lambda predictions, ys: sum(
    (2 * predictions[i] - ys[i]) ** 2 for i in range(len(predictions))
)""",
    lambda copy, outputs, targets: _squared(
        copy, [copy.program.apply("*", 2, output) for output in outputs], targets
    ),
)


def check_loss(
    learner: Learner, loss: Loss, numbers: Sequence[float], targets: Sequence[float]
) -> None:
    """Check a loss of these numbers, its gradients, and that it leaves both lists unchanged."""
    copy = Copy(Shape(0, (), ()), numbers)
    wanted = loss.compute(copy, copy.parameters, targets)
    given, listed = _predictions(learner, numbers)
    right = learner.expression(str([*targets]), loss.targets)
    total = learner.make(Value, loss.code, listed.ref, right, name="loss")
    total.backward()
    learner.expect(total.data, copy.value(wanted))
    slopes = copy.gradients(wanted)
    learner.expect_all([Expected(value.grad, slope) for value, slope in zip(given, slopes)])
    kept = listed.reading("", "refs")
    if learner.read([kept]) != [[value.ref for value in given]]:
        raise Mismatch(
            f"`{loss.code}` must not change the list of predictions",
            expected="the same Values",
            got="a changed list",
            reading=kept,
        )
    why = f"`{loss.code}` must not change the list of {loss.targets}"
    learner.expect(right.reading(), [*targets], why)
    learner.fresh()


def _predictions(learner: Learner, numbers: Sequence[float]) -> tuple[list[Value], Symbol]:
    """Make a Value of each number, and a list of them."""
    given = [learner.value(number, f"p{index}") for index, number in enumerate(numbers)]
    listed = learner.builtin("list", [value.ref for value in given])
    return given, learner.named("predictions", listed)


class Task(NamedTuple):
    """A network, and examples to train it on: targets for one loss, labels for the other."""

    shape: Shape
    xs: list[list[float]]
    targets: list[float]
    labels: list[float]

    def ys(self, loss: Loss) -> list[float]:
        """Return the targets of these examples."""
        return self.labels if loss is MARGIN else self.targets


TINY = Task(Shape(1, (1,), ("linear",)), [[2.0]], [1.0], [-1.0])


def make_model(learner: Learner, shape: Shape, seed: int) -> tuple[Network, Copy]:
    """Make a learner's MLP with known weights, and the judge's copy of it. The smallest always gets
    the weight 0.5 and the bias 0.25.
    """
    model = make_mlp(learner, shape)
    if shape != TINY.shape:
        return model, set_weights(learner, model, shape, seed)
    copy = Copy(shape, (0.5, 0.25))
    model.set(shape.paths, copy.start)
    return model, copy


def make_step(
    copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float], rate: float, loss: Loss
) -> float:
    """Take one step with the judge's copy; return the loss before it."""
    total = loss.of(copy, xs, ys)
    before = copy.value(total)
    slopes = zip(copy.parameters, copy.gradients(total))
    copy.set([copy.value(ref) - rate * slope for ref, slope in slopes])
    return before


def take_step(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner,
    model: Network,
    xs: list[list[float]],
    ys: list[float],
    rate: float,
    loss: Loss | None = None,
) -> Reading:
    """Record a call of `train_step`; return the reading of its loss."""
    more = [learner.expression(loss.code)] if loss else []
    made = learner.make(Value, "train_step", model.ref, xs, ys, rate, *more, name="loss")
    return made.reading("")


def call_train(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner,
    model: Network,
    xs: list[list[float]] | Symbol,
    ys: list[float] | Symbol,
    steps: int,
    rate: float | None,
    loss: Loss = SQUARED,
    batch_size: int | None = None,
) -> Symbol:
    """Record a call of `train`. Without a rate, give it one that depends on the step."""
    given = learner.expression("lambda step: 0.1 / (1 + step)") if rate is None else rate
    named = {"rate": given, "loss": learner.expression(loss.code), "batch_size": batch_size}
    return learner.make(Symbol, "train", model.ref, xs, ys, steps, name="losses", **named)


def rate_at(step: int) -> float:
    """Return the rate that `call_train` gives to a step if it is given none."""
    return 0.1 / (1 + step)


def losses_of(learner: Learner, losses: Symbol, count: int) -> list[float]:
    """Return the losses from `train`; raise Mismatch unless there is one for each step."""
    reading = losses.reading("", "value")
    (answer,) = learner.read([reading])
    if not isinstance(answer, list) or not all(type(item) in {int, float} for item in answer):
        why = "`train` must return the losses as a list of plain numbers"
        raise learner.wrong_type(reading, why, "a list of numbers")
    if len(answer) != count:
        why = "`train` must return one loss per step"
        raise Mismatch(why, expected=count, got=len(answer), reading=reading)
    return [float(item) for item in answer]  # type: ignore[arg-type]


def weights_of(learner: Learner, model: Network, shape: Shape) -> list[float]:
    """Return the weights of a learner's network; raise Mismatch unless they are numbers."""
    answers = learner.read([model.reading(f"{path}.data") for path in shape.paths])
    for path, answer in zip(shape.paths, answers):
        if type(answer) not in {int, float}:
            why = f"after training, `{path}.data` must be a plain number"
            raise learner.wrong_type(model.reading(f"{path}.data"), why, "a number")
    return [float(answer) for answer in answers]  # type: ignore[arg-type]


def expect_moved(
    learner: Learner, model: Network, copy: Copy, why: str = "", steps: int = 1
) -> None:
    """Raise Mismatch unless every weight equals the judge's copy; say how the first wrong one
    moved.
    """
    readings = [model.reading(f"{path}.data") for path in copy.shape.paths]
    wanted = [copy.value(ref) for ref in copy.parameters]
    try:
        learner.expect_all(list(zip(readings, wanted)), why)
    except Mismatch as wrong:
        if not why and wrong.kind is Kind.WRONG_VALUE:
            at = readings.index(wrong.reading)  # type: ignore[arg-type]
            moved = _moved(copy.start[at], wanted[at], float(wrong.got))  # type: ignore[arg-type]
            after = "one step" if steps == 1 else f"{steps} steps"
            wrong.message = f"after {after}, `{learner.recorder.describe(readings[at])}` {moved}"
        raise


def _moved(start: float, want: float, got: float) -> str:
    """Describe how a weight moved, instead of from `start` to `want`."""
    if close(want, start):
        return f"should still be {start:.4g}"
    how = "too far" if abs(got - start) > abs(want - start) else "not far enough"
    if (got - start) * (want - start) < 0:
        how = "the wrong way"
    how = "did not move" if close(got, start) else f"moved {how}, to {got:.4g}"
    return f"should have moved from {start:.4g} to {want:.4g}; it {how}"
