"""Phase 8: the judge recomputes every reported loss and every final weight.

Over many steps correct programs drift apart by rounding. So the losses of each step are compared
for only twelve steps at a small rate; longer training is judged by its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import pytest
from guesses import guessing
from losses import MARGIN_LOSS, SQUARED_LOSS, check_loss, check_targets_kept
from mini_batches import (
    check_batches,
    check_batches_of_one,
    check_batches_used,
    check_orders,
    check_rates_of_batches,
    check_repeated_examples,
)
from moons import MOONS
from networks import Copy, Network, Shape
from sensitivity import observing
from training import (
    RATE,
    TINY,
    TINY_LABELS,
    TINY_XS,
    TINY_YS,
    Loss,
    asymmetric,
    call_train,
    count_losses,
    expect_weights,
    guessing_losses,
    guessing_moves,
    loss_of,
    losses_of,
    make_model,
    make_step,
    max_margin,
    rate_at,
    squared,
    take_step,
    tiny_step,
    weights_of,
)
from training_guesses import COUNTED, COUNTS, EXAMPLE_STEPS, LOSSES, SCHEDULE, SCHEDULES
from vocabulary import Learner, Value
from watched_training import look_at_step, look_at_training

from grader.suite import BackgroundCheck, Mismatch, Reading, Symbol, close

FOUR = Shape(3, (4, 4, 1), ("tanh", "tanh", "tanh"))
SMALL = Shape(2, (3, 1), ("tanh", "linear"))
XS = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
YS = [1.0, -1.0, -1.0, 1.0]
SMALL_XS = [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75], [0.5, 0.5]]
SMALL_YS = [1.0, -1.0, 0.5, -0.5]
SMALL_LABELS = [1.0, -1.0, 1.0, -1.0]
MANY = [0.25 * (number % 12) - 1.3 for number in range(40)]
STEPS = 12
FOUR_STEPS, FOUR_LOSS, FOUR_SECONDS = 200, 0.05, 10.0  # a slow engine needs two
MOON_ROUNDS, MOON_STEPS, MOON_SECONDS, MOON_ACCURACY, MOON_HOPE = 8, 36, 10.0, 0.95, 0.75


def test_squared_loss(learner: Learner) -> None:
    """`squared_loss` sums the squared differences into one Value"""
    for numbers, targets in (
        ((3.0, -1.0), (1.0, 0.5)),
        ((0.5, -1.5, 2.0), (-1.0, 1.0, 2.5)),
        ((0.25,), (1.0,)),
        ((90.0, -70.0), (1.0, 2.0)),
        (MANY, [-0.5] * len(MANY)),
    ):
        check_loss(learner, SQUARED_LOSS, numbers, targets)
    check_targets_kept(learner, SQUARED_LOSS)


def test_max_margin_loss(learner: Learner) -> None:
    """`max_margin_loss` is the mean of relu(1 - label * score)"""
    for numbers, targets in (
        ((0.5, -2.0), (1.0, -1.0)),
        *(((score,), (label,)) for score in (0.25, 3.0) for label in (1.0, -1.0)),
        ((0.5, -0.25, 3.0, -3.0), (-1.0, 1.0, 1.0, 1.0)),
        ((0.5, -1.5, 2.0), (-1.0, 1.0, 1.0)),
        ((90.0, -70.0), (-1.0, 1.0)),
        (MANY, [-1.0] * len(MANY)),
    ):
        check_loss(learner, MARGIN_LOSS, numbers, targets)
    check_targets_kept(learner, MARGIN_LOSS)


def test_one_step(learner: Learner) -> None:
    """`train_step` takes one step and returns the loss before it"""
    for shape, xs, ys in (
        (TINY, TINY_XS, TINY_YS),
        (TINY, [[2.0], [-1.0]], [1.0, 0.5]),
        (SMALL, SMALL_XS, SMALL_YS),
        (FOUR, XS, YS),
    ):
        for rate in (0.05, 0.2):
            with observing(learner, partial(look_at_step, learner)):
                _check_steps(learner, shape, xs, ys, [rate], squared)
    for rate in (0, 20.0):
        _check_steps(learner, TINY, TINY_XS, TINY_YS, [rate], squared)
    _check_steps(learner, TINY, [[x] for x in MANY], [0.5] * len(MANY), [0.01], squared)
    _check_any_model(learner)
    _check_lists_kept(learner, "train_step", 0.1)


def _check_any_model(learner: Learner) -> None:
    """Check a step of a model that has only what the exercise names."""
    model = learner.symbol(learner.define("make_line", _LINE).call("__call__"), Network)
    loss = learner.make(Value, "train_step", model.ref, [[2.0]], [1.0], 0.1, name="loss")
    why = "`model` may be anything that can be called and has `parameters()` and `zero_grad()`"
    learner.expect(loss.reading(""), 1.0, why)
    learner.expect_all([(model.reading("w.data"), 0.6)], why)
    learner.fresh()


_LINE = """
from engine import Value

class Line:
    def __init__(self):
        self.w = Value(1.0)

    def __call__(self, x):
        return self.w * x[0]

    def parameters(self):
        return [self.w]

    def zero_grad(self):
        self.w.grad = 0.0

def make_line():
    return Line()
"""


def _check_lists_kept(learner: Learner, function: str, number: float) -> None:
    """Check that training leaves the caller's lists unchanged."""
    model, _ = make_model(learner, TINY, 5)
    xs, ys = learner.expression("[[0.5], [-1.5]]", "xs"), learner.expression("[1.0, 0.25]", "ys")
    learner.make(Symbol, function, model.ref, xs, ys, number, name="result")
    why = "`xs` and `ys` belong to the caller and must not change: work on copies"
    learner.expect(learner.builtin("len", xs).reading(""), 2, why)
    learner.expect(xs.reading("[0][0]"), 0.5, why)
    learner.expect(ys.reading(), [1.0, 0.25], why)
    learner.fresh()


def test_zeroed(learner: Learner) -> None:
    """`train_step` clears the gradients left by earlier steps"""
    for shape, xs, ys in ((TINY, TINY_XS, TINY_YS), (SMALL, SMALL_XS, SMALL_YS)):
        model, copy = make_model(learner, shape, 2)
        for path in shape.paths[:3]:
            model.put(f"{path}.grad", 5.0)
        take_step(learner, model, xs, ys, 0.1, "")
        make_step(copy, xs, ys, 0.1, squared)
        expect_weights(
            learner, model, shape, copy, "clear the gradients of earlier steps before `backward()`"
        )
        learner.fresh()


def test_other_loss(learner: Learner) -> None:
    """`train_step` uses the loss function it is given"""
    with observing(learner, partial(look_at_step, learner)):
        _check_other_loss(learner)


def _check_other_loss(learner: Learner) -> None:
    small = ((TINY, TINY_XS, TINY_LABELS), (SMALL, SMALL_XS, SMALL_LABELS))
    for shape, xs, labels in small:
        model, copy = make_model(learner, shape, 4)
        reported = take_step(learner, model, xs, labels, 0.1, "max_margin_loss")
        learner.expect(reported, make_step(copy, xs, labels, 0.1, max_margin))
        expect_weights(learner, model, shape, copy)
        learner.fresh()
    # an asymmetric loss: the course's own losses ignore the order of their arguments
    why = "`train_step` must call `loss(predictions, ys)`, with the predictions first"
    for shape, xs, ys in ((TINY, TINY_XS, TINY_YS), (SMALL, SMALL_XS, SMALL_YS)):
        model, copy = make_model(learner, shape, 4)
        reported = take_step(learner, model, xs, ys, 0.1, _ASYMMETRIC)
        learner.expect(reported, make_step(copy, xs, ys, 0.1, asymmetric), why)
        expect_weights(learner, model, shape, copy, why)
        learner.fresh()


_ASYMMETRIC = """lambda predictions, ys: sum(
    (2 * predictions[i] - ys[i]) ** 2 for i in range(len(predictions))
)"""


def test_schedule(learner: Learner) -> None:
    """`learning_rate` falls linearly from start to end"""
    for args, wanted in (
        ((0, 4, 0.1, 0.01), 0.1),
        ((1, 4, 0.1, 0.01), 0.07),
        ((3, 4, 0.1, 0.01), 0.01),
        ((0, 1, 0.1, 0.01), 0.1),
        ((1, 4), 0.07),
        ((0, 1, 0.3, 0.2), 0.3),
        ((5, 11, 1.0, 0.0), 0.5),
        ((0, 2, 0.3, 0.1), 0.3),
        ((1, 2), 0.01),
        ((1, 8), 0.1 - 0.09 / 7),
        ((50, 101, 0.1, 0.3), 0.2),
        ((3, 4, 0.1, 0.0), 0.0),
        ((750, 1001, 1.0, 0.0), 0.25),
    ):
        ask = partial(_rate, learner)
        with guessing(learner, SCHEDULE, SCHEDULES, ask):
            learner.expect(_rate(learner, *args), wanted)
        learner.fresh()


def _rate(learner: Learner, *args: float) -> Reading:
    return learner.make(Value, "learning_rate", *args, name="rate").reading("")


def test_batches(learner: Learner) -> None:
    """`batches` uses every pair exactly once, in random order"""
    check_batches(learner, 5, 3, [3, 2])
    check_batches(learner, 24, 5, [5, 5, 5, 5, 4])
    check_batches(learner, 9, 4, [4, 4, 1])
    check_batches(learner, 3, 5, [3])
    check_batches(learner, 3, 1, [1, 1, 1])
    check_repeated_examples(learner)
    whole = [check_batches(learner, 24, 24, [24]) for _ in range(2)]
    if whole[0] == whole[1]:
        raise Mismatch(
            "`batches` must draw a new random order in every call",
            expected="two different orders",
            got="the same order twice",
        )
    parted = [[set(part) for part in check_batches(learner, 24, 4, [4] * 6)] for _ in range(2)]
    if parted[0] == parted[1]:
        raise Mismatch(
            "shuffle all examples before you cut them into batches, so that any two can meet",
            expected="different batches in two calls",
            got="the same batches twice",
        )
    check_orders(learner)


def test_loop(learner: Learner) -> None:
    """`train` runs every step and returns each loss"""
    with observing(learner, partial(look_at_training, learner)):
        _check_loops(learner)
    _check_defaults(learner)
    _check_lists_kept(learner, "train", 2)


def _check_loops(learner: Learner) -> None:
    for setting in (TINY_LOOP, SMALL_LOOP):
        _check_loop(learner, setting, squared, "squared_loss")
        # not the default loss
        _check_loop(learner, setting, max_margin, "max_margin_loss", rate=2 * RATE)
    _check_loop(learner, TINY_LOOP._replace(steps=0), squared, "squared_loss")
    for rate in (0, 0.3):  # the loss stays as it is, or grows
        _check_loop(learner, TINY_LOOP, squared, "squared_loss", rate=rate)
    _check_loop(learner, MANY_LOOP, squared, "squared_loss", rate=0.001)
    _check_loop(learner, TINY_LOOP._replace(steps=8), squared, "squared_loss")


def _check_defaults(learner: Learner) -> None:
    """Check the losses of `train` with its own rate and loss."""
    model, copy = make_model(learner, TINY, 5)
    losses = learner.make(Symbol, "train", model.ref, TINY_XS, TINY_YS, 3, name="losses")
    wanted = [make_step(copy, TINY_XS, TINY_YS, RATE, squared) for _ in range(3)]
    for number, want in enumerate(wanted):
        why = f"by default, `rate` is {RATE:g} and `loss` is `squared_loss`"
        learner.expect(losses.reading(f"[{number}]"), want, why)
    learner.fresh()


def test_scheduled_loop(learner: Learner) -> None:
    """`train` accepts a learning rate that depends on the step"""
    for setting in (TINY_LOOP, SMALL_LOOP):
        with observing(learner, partial(look_at_training, learner, scheduled=True)):
            _check_loop(learner, setting, squared, "squared_loss", rate=None)
    _check_any_schedule(learner)


def _check_any_schedule(learner: Learner) -> None:
    """Check a schedule that is callable without being a function, and is 0 for a step."""
    model, copy = make_model(learner, TINY, 0)
    rates = [0.05, 0.0, 0.02, 0.02]
    schedule = learner.expression(f"{rates}.__getitem__")
    losses = learner.make(
        Symbol, "train", model.ref, TINY_XS, TINY_YS, len(rates), schedule, name="losses"
    )
    why = "`rate` may be anything that can be called, and a rate of 0 is a rate"
    for step, rate in enumerate(rates):
        wanted = make_step(copy, TINY_XS, TINY_YS, rate, squared)
        learner.expect(losses.reading(f"[{step}]"), wanted, why)
    learner.fresh()


def test_batched_loop(learner: Learner) -> None:
    """With `batch_size`, `train` uses every example, then redraws"""
    with observing(learner, partial(look_at_training, learner, batched=True)):
        check_batches_used(learner)
    with observing(learner, partial(look_at_training, learner, batched=True, scheduled=True)):
        check_rates_of_batches(learner)
    check_batches_of_one(learner)


def test_four_points(learner: Learner) -> None:
    """Four points: the loss falls below 0.05 in 200 steps"""
    model, copy = make_model(learner, FOUR, 8)
    learner.seconds = FOUR_SECONDS
    reported = losses_of(learner, call_train(learner, model, XS, YS, FOUR_STEPS, RATE), FOUR_STEPS)
    before = loss_of(copy, XS, YS, squared)
    after = loss_of(Copy(FOUR, weights_of(learner, model, FOUR)), XS, YS, squared)
    if not close(reported[0], before):
        raise Mismatch(
            "the first reported loss must be that of the initial weights",
            expected=before,
            got=reported[0],
        )
    if not after < FOUR_LOSS:
        raise Mismatch(
            "the loss of the trained weights, recomputed here, is too large",
            expected=f"below {FOUR_LOSS}",
            got=after,
        )
    if abs(reported[-1] - after) > 0.05 * (after + reported[-1]):
        raise Mismatch(
            "the last reported loss is far from the loss of the trained weights",
            expected=after,
            got=reported[-1],
        )


@pytest.fixture(scope="module", autouse=True)
def moons(aside: Callable[..., BackgroundCheck]) -> BackgroundCheck:
    """Start the slowest check first, in a separate worker."""
    return aside(lambda recorder: _moons(Learner(recorder)), "test_moons")


def test_moons(learner: Learner, moons: BackgroundCheck) -> None:
    """The network tells two moons apart: 95% within 10 seconds"""
    learner.finish(moons)


def _moons(learner: Learner) -> None:
    """Train a few steps at a time until enough points are on the right side.

    That usually takes two rounds. With 4,000 different orders of the batches it never took more
    than four, and at least 105 of the 120 points were right after two: with fewer than 90, more
    rounds are no use.
    """
    shape = Shape(2, (12, 1), ("relu", "linear"))
    model, _ = make_model(learner, shape, 1)
    learner.run()
    xs, ys = [list(point) for point, _ in MOONS], [label for _, label in MOONS]
    learner.seconds = MOON_SECONDS / MOON_ROUNDS
    most = 0
    for played in range(1, MOON_ROUNDS + 1):
        losses = call_train(
            learner, model, xs, ys, MOON_STEPS, 1.0, loss="max_margin_loss", batch_size=10
        )
        losses_of(learner, losses, MOON_STEPS)
        most = max(most, shape.count_right(weights_of(learner, model, shape), xs, ys))
        if most >= MOON_ACCURACY * len(xs):
            return
        if played > 1 and most < MOON_HOPE * len(xs):
            break
    raise Mismatch(
        f"after {played * MOON_STEPS} steps, too few points are on the right side",
        expected=f"{MOON_ACCURACY * len(xs):.0f} of {len(xs)}",
        got=f"{most} of {len(xs)}",
    )


def _check_steps(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner,
    shape: Shape,
    xs: list[list[float]],
    ys: list[float],
    rates: Sequence[float],
    loss: Loss,
) -> None:
    model, copy = make_model(learner, shape, 1)
    for rate in rates:
        reported = take_step(learner, model, xs, ys, rate, "")
        with guessing(learner, LOSSES, EXAMPLE_STEPS, partial(tiny_step, learner)):
            learner.expect(
                reported,
                make_step(copy, xs, ys, rate, loss),
                "`train_step` must return the loss of the weights before the step",
            )
        with guessing_moves(learner):
            expect_weights(learner, model, shape, copy)
    learner.fresh()


class ShortTraining(NamedTuple):
    """A network, the examples to train it on, and for how many steps."""

    shape: Shape
    xs: list[list[float]]
    ys: list[float]
    labels: list[float]
    steps: int


TINY_LOOP = ShortTraining(TINY, TINY_XS, TINY_YS, TINY_LABELS, 3)
SMALL_LOOP = ShortTraining(SMALL, SMALL_XS, SMALL_YS, SMALL_LABELS, STEPS)
MANY_LOOP = ShortTraining(TINY, [[x] for x in MANY], [0.5] * len(MANY), [], 2)


def _check_loop(
    learner: Learner, loop: ShortTraining, loss: Loss, name: str, *, rate: float | None = RATE
) -> None:
    """Check a few steps of training, with a schedule if `rate` is None."""
    model, copy = make_model(learner, loop.shape, 5)
    ys = loop.ys if loss is squared else loop.labels
    rates = [rate_at(step) if rate is None else rate for step in range(loop.steps)]
    losses = call_train(learner, model, loop.xs, ys, loop.steps, rate, loss=name)
    with guessing(learner, COUNTS, COUNTED, partial(count_losses, learner)):
        reported = losses_of(learner, losses, loop.steps)
    for number, (got, at) in enumerate(zip(reported, rates)):
        want = make_step(copy, loop.xs, ys, at, loss)
        with guessing_losses(learner, rate):
            if not close(got, want):
                raise Mismatch(
                    f"the loss of step {number} must be that of the weights before that step",
                    expected=want,
                    got=got,
                    reading=losses.reading(f"[{number}]"),
                )
    expect_weights(learner, model, loop.shape, copy, steps=loop.steps)
    learner.fresh()
