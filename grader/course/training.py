"""The judge's own losses and training steps, and a learner's compared with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from guesses import guessing
from networks import Copy, Network, Shape, make, set_weights
from training_guesses import EXAMPLE_MOVES, FAR, MOVES, REPORTED, REPORTS, SCHEDULED
from vocabulary import Learner, Value

from grader.suite import Expected, Kind, Mismatch, Reading, Ref, Symbol, close

RATE = 0.05  # what `train` uses if it is given none
TINY = Shape(1, (1,), ("linear",))  # w = 0.5 and b = 0.25 in every check
TINY_XS, TINY_YS, TINY_LABELS = [[2.0]], [1.0], [-1.0]
Loss = Callable[[Copy, list[Ref], Sequence[float]], Ref]


def squared(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    """Compute the sum of the squared differences."""
    program, total = copy.program, None
    for output, target in zip(outputs, targets):
        square = program.apply("**", program.apply("-", output, target), 2)
        total = square if total is None else program.apply("+", total, square)
    assert total is not None
    return total


def asymmetric(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    """Compute a loss that is different if its two arguments change places."""
    return squared(copy, [copy.program.apply("*", 2, output) for output in outputs], targets)


def max_margin(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    """Compute the mean of relu(1 - label * score)."""
    program, total = copy.program, None
    for output, target in zip(outputs, targets):
        loss = program.apply("relu", program.apply("-", 1, program.apply("*", target, output)))
        total = loss if total is None else program.apply("+", total, loss)
    assert total is not None
    return program.apply("/", total, len(outputs))


def loss_of(copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float], loss: Loss) -> float:
    """Return the loss of the judge's copy on these examples."""
    return copy.value(loss(copy, [copy(x)[0] for x in xs], ys))


def make_step(
    copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float], rate: float, loss: Loss
) -> float:
    """Take one step with the judge's copy; return the loss before it."""
    numbers = tuple(map(copy.value, copy.parameters))
    key = ("step", copy.shape, numbers, str(xs), str(ys), rate, loss.__name__)
    value, moved = copy.kept(key, lambda: _stepped(copy, xs, ys, rate, loss))
    fresh = Copy(copy.shape, moved)
    copy.program, copy.parameters = fresh.program, fresh.parameters
    return float(value)


def _stepped(
    copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float], rate: float, loss: Loss
) -> tuple[float, list[float]]:
    """Return the loss, and the parameters after one step."""
    total = loss(copy, [copy(x)[0] for x in xs], ys)
    slopes = zip(copy.parameters, copy.gradients(total))
    return copy.value(total), [copy.value(ref) - rate * slope for ref, slope in slopes]


def make_model(learner: Learner, shape: Shape, seed: int) -> tuple[Network, Copy]:
    """Make a learner's MLP with known weights, and the judge's copy of it."""
    kinds = shape.kinds[0], shape.kinds[-1]
    model = make(learner, "MLP", shape.inputs, list(shape.layers), *kinds, name="model")
    if shape is TINY:
        model.set(shape.paths, (0.5, 0.25))
        return model, Copy(shape, (0.5, 0.25), learner.recorder.kept)
    return model, Copy(shape, set_weights(learner, model, shape, seed), learner.recorder.kept)


def take_step(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner, model: Network, xs: list[list[float]], ys: list[float], rate: float, loss: str
) -> Reading:
    """Record a call of `train_step`; return the reading of its loss."""
    more = [learner.expression(loss)] if loss else []
    return learner.make(Value, "train_step", model.ref, xs, ys, rate, *more, name="loss").reading(
        ""
    )


def call_train(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner,
    model: Network,
    xs: list[list[float]] | Symbol,
    ys: list[float] | Symbol,
    steps: int,
    rate: float | None,
    *,
    loss: str = "squared_loss",
    batch_size: int | None = None,
) -> Symbol:
    """Record a call of `train`. Without a rate, give it one that depends on the step."""
    given = learner.expression("lambda step: 0.1 / (1 + step)") if rate is None else rate
    arguments = [model.ref, xs, ys, steps, given, learner.expression(loss), batch_size]
    return learner.make(Symbol, "train", *arguments, name="losses")


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
        many = 0 < count < len(answer) and len(answer) % count == 0
        each = f": {count} steps, not {count} times all the batches" if many else ""
        raise Mismatch(
            f"`train` must return one loss per step{each}",
            expected=count,
            got=len(answer),
            reading=reading,
        )
    return [float(item) for item in answer]  # type: ignore[arg-type]


def weights_of(learner: Learner, model: Network, shape: Shape) -> list[float]:
    """Return the weights of a learner's network; raise Mismatch unless they are numbers."""
    answers = learner.read([model.reading(f"{path}.data") for path in shape.paths])
    for path, answer in zip(shape.paths, answers):
        if type(answer) not in {int, float}:
            why = f"after training, `{path}.data` must be a plain number"
            raise learner.wrong_type(model.reading(f"{path}.data"), why, "a number")
    return [float(answer) for answer in answers]  # type: ignore[arg-type]


def expect_weights(  # noqa: PLR0913, PLR0917 - what was trained, and how
    learner: Learner, model: Network, shape: Shape, copy: Copy, why: str = "", steps: int = 1
) -> None:
    """Raise Mismatch unless every weight is that of the judge's copy; say how the first wrong one
    moved.
    """
    wanted = [
        Expected(model.reading(f"{path}.data"), copy.value(ref))
        for path, ref in zip(shape.paths, copy.parameters)
    ]
    try:
        learner.expect_all(wanted, why)
    except Mismatch as wrong:
        if not why and wrong.kind is Kind.WRONG_VALUE:
            readings = [expected.reading for expected in wanted]
            at = readings.index(wrong.reading)  # type: ignore[arg-type]
            moved = _moved(copy.start[at], wanted[at].want, float(wrong.got))  # type: ignore[arg-type]
            after = "after one step" if steps == 1 else f"after {steps} steps"
            wrong.message = f"{after}, `{learner.describe(readings[at])}` {moved}"
        raise


def _moved(start: float, want: float, got: float) -> str:
    """Return how a weight moved that should have moved from `start` to `want`."""
    if close(want, start):
        return f"should still be {start:.4g}"
    return f"should have moved from {start:.4g} to {want:.4g}; it {_how(start, want, got)}"


def _how(start: float, want: float, got: float) -> str:
    if close(got, start):
        return "did not move"
    if (got - start) * (want - start) < 0:
        return "moved the wrong way"
    return "moved too far" if abs(got - start) > abs(want - start) else "did not move far enough"


# --- experiments that explain a failure ---


def tiny_step(learner: Learner, xs: list[list[float]], ys: list[float], rate: float) -> Reading:
    """Record one step of the smallest network; return the reading of its loss."""
    return take_step(learner, make_model(learner, TINY, 0)[0], xs, ys, rate, "")


def guessing_moves(learner: Learner) -> AbstractContextManager[None]:
    """Explain a parameter that is wrong after a step."""

    def ask(xs: list[list[float]], ys: list[float], rate: float, which: int) -> Reading:
        model, _ = make_model(learner, TINY, 0)
        take_step(learner, model, xs, ys, rate, "")
        return model.reading(f"{TINY.paths[which]}.data")

    return guessing(learner, MOVES, EXAMPLE_MOVES, ask)


def count_losses(learner: Learner, steps: int, target: float) -> Reading:
    """Return a reading of how many losses there are after some steps towards a target."""
    model, _ = make_model(learner, TINY, 0)
    losses = call_train(learner, model, TINY_XS, [target], steps, RATE)
    return learner.builtin("len", losses).reading("")


def guessing_losses(learner: Learner, rate: float | None) -> AbstractContextManager[None]:
    """Explain a wrong loss from `train`, with a schedule if `rate` is None."""

    def ask(step: int, _: Callable[[int], float]) -> Reading:
        model, _copy = make_model(learner, TINY, 0)
        return call_train(learner, model, *FAR, REPORTED, rate).reading(f"[{step}]")

    def rates(step: int) -> float:
        return 0.1 / (1 + step) if rate is None else rate

    tries = [(step, rates) for step in range(REPORTED)]
    return guessing(learner, SCHEDULED if rate is None else REPORTS, tries, ask)
