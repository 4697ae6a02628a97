"""Phase 8: the judge recomputes every reported loss and every final weight.

Over many steps correct programs drift apart by rounding. So the losses of each step are compared
for only twelve steps at a small rate; longer training is judged by its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from mini_batches import check_batches, check_batches_used, check_orders, check_repeated_examples
from moons import MOONS
from networks import Copy, Network, Shape, Trained
from training import (
    ASYMMETRIC,
    MARGIN,
    RATE,
    SQUARED,
    TINY,
    Loss,
    Task,
    call_train,
    check_loss,
    expect_moved,
    losses_of,
    make_model,
    make_step,
    rate_at,
    take_step,
    weights_of,
)
from vocabulary import Learner, Value

from grader.suite import Mismatch, Symbol

SMALL = Task(
    Shape(2, (3, 1), ("tanh", "linear")),
    [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75], [0.5, 0.5]],
    [1.0, -1.0, 0.5, -0.5],
    [1.0, -1.0, 1.0, -1.0],
)
FOUR = Task(
    Shape(3, (4, 4, 1), ("tanh", "tanh", "tanh")),
    [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]],
    [1.0, -1.0, -1.0, 1.0],
    [],
)
NUMBERS = [0.25 * (number % 12) - 1.3 for number in range(130)]
MANY = Task(TINY.shape, [[number] for number in NUMBERS], [0.5] * len(NUMBERS), [])
SLOW = Task(TINY.shape, [[1.0]], [2.0], [1.0])  # no step of a schedule ends at its target
TWO = Task(TINY.shape, [[80.0], [-10.0]], [1.0, 0.5], [])
FOUR_STEPS, FOUR_LOSS, FOUR_SECONDS = 200, 0.05, 10.0  # a slow engine needs two
MOON_ROUNDS, MOON_STEPS, MOON_SECONDS, MOON_ACCURACY, MOON_HOPE = 5, 36, 10.0, 0.95, 0.75


def test_squared_loss(learner: Learner) -> None:
    """`squared_loss` is the sum of squared differences"""
    for numbers, targets in (
        ((3.0, -1.0), (1.0, 0.5)),
        ((0.5, -1.5, 2.0), (-1, 1, 2.5)),
        ((0.25,), (1.0,)),
        ((90.0, -70.0), (1.0, 2.0)),
        (NUMBERS, [-0.5] * len(NUMBERS)),
        ((2.0, -1.0), (2.0, -1)),
    ):
        check_loss(learner, SQUARED, numbers, targets)


def test_max_margin_loss(learner: Learner) -> None:
    """`max_margin_loss` averages relu(1 - label * score)"""
    for numbers, targets in (
        ((0.5, -2.0), (1.0, -1.0)),
        *(((score,), (label,)) for score in (0.25, 3.0) for label in (1, -1)),
        ((0.5, -0.25, 3.0, -3.0), (-1.0, 1.0, 1.0, 1.0)),
        ((0.5, -1.5, 2.0), (-1.0, 1.0, 1.0)),
        ((90.0, -70.0), (-1.0, 1.0)),
        (NUMBERS, [-1.0] * len(NUMBERS)),
    ):
        check_loss(learner, MARGIN, numbers, targets)


def test_one_step(learner: Learner) -> None:
    """`train_step` takes a step and returns the loss"""
    usual = product((TINY, TWO, SMALL, FOUR), (0.05, 0.2))
    for task, rate in (*usual, (TINY, 0), (TINY, 20.0), (MANY, 0.01)):
        _check_step(learner, task, rate)
    _check_any_model(learner)
    _check_lists_kept(learner, "train_step", 0.1)


def _check_step(
    learner: Learner, task: Task, rate: float, loss: Loss | None = None, why: str = ""
) -> None:
    model, copy = make_model(learner, task.shape, 1)
    ys = task.ys(loss or SQUARED)
    reported = take_step(learner, model, task.xs, ys, rate, loss)
    why = why or "`train_step` must return what `loss` gives for the weights before the step"
    learner.expect(reported, make_step(copy, task.xs, ys, rate, loss or SQUARED), why)
    expect_moved(learner, model, copy)
    learner.fresh()


def _check_any_model(learner: Learner, held: float = 0.0) -> None:
    """Check a step of a model that has only the methods that the exercise names, with a weight of
    0, and a parameter that it does not use, with the gradient `held`.
    """
    line = learner.define("make_line", _LINE).call("__call__", held)
    model = learner.named("model", learner.symbol(line, Network))
    loss = learner.make(Value, "train_step", model.ref, [[2.0]], [1.0], 0.1, name="loss")
    why = "`model` may be anything that can be called and has `parameters()` and `zero_grad()`"
    learner.expect(loss.reading(""), 1.0, why)
    learner.expect_all([(model.reading("w.data"), 0.4), (model.reading("unused.data"), 1.0)])
    learner.fresh()


_LINE = """
from engine import Value

class Line:
    def __init__(self, held):
        self.w, self.unused = Value(0), Value(1.0)
        self.unused.grad = held

    def __call__(self, x):
        return self.w * x[0]

    def parameters(self):
        return [self.w, self.unused]

    def zero_grad(self):
        self.w.grad = self.unused.grad = 0.0

def make_line(held):
    return Line(held)
"""


def _check_lists_kept(learner: Learner, function: str, number: float) -> None:
    """Check that training leaves the caller's lists unchanged."""
    model, _ = make_model(learner, TINY.shape, 5)
    xs, ys = learner.expression("[[0.5], [-1.5]]", "xs"), learner.expression("[1.0, 0.25]", "ys")
    learner.make(Symbol, function, model.ref, xs, ys, number, name="result")
    why = "`xs` and `ys` belong to the caller and must not change: work on copies"
    learner.expect_all([(xs.reading(), [[0.5], [-1.5]]), (ys.reading(), [1.0, 0.25])], why)
    learner.fresh()


def test_zeroed(learner: Learner) -> None:
    """`train_step` clears the gradients of earlier steps"""
    for task in (TINY, SMALL):
        model, copy = make_model(learner, task.shape, 2)
        for path in task.shape.paths[:3]:
            model.put(f"{path}.grad", 5.0)
        take_step(learner, model, task.xs, task.targets, 0.1)
        make_step(copy, task.xs, task.targets, 0.1, SQUARED)
        why = "clear the gradients of earlier steps before `backward()`"
        expect_moved(learner, model, copy, why)
        learner.fresh()
    _check_any_model(learner, 5.0)


def test_other_loss(learner: Learner) -> None:
    """`train_step` uses the loss function it is given"""
    order = "`train_step` must call `loss(predictions, ys)`, with the predictions first"
    for loss, why in ((MARGIN, ""), (ASYMMETRIC, order)):
        for task in (TINY, SMALL):
            _check_step(learner, task, 0.1, loss, why)


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
        learner.expect(learner.make(Value, "learning_rate", *args, name="rate").reading(""), wanted)
        learner.fresh()


def test_batches(learner: Learner) -> None:
    """`batches` uses each example once, in random order"""
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
            "shuffle all examples before you cut them into batches so that any two can meet",
            expected="different batches in two calls",
            got="the same batches twice",
        )
    check_orders(learner)


def test_loop(learner: Learner) -> None:
    """`train` runs every step and returns each loss"""
    for task, steps in ((TINY, 3), (SMALL, 12)):
        _check_loop(learner, task, steps)
        _check_loop(learner, task, steps, 2 * RATE, MARGIN)  # not the default loss
    _check_loop(learner, TINY, 0)
    for rate in (0, 0.3):  # the loss stays as it is, or grows
        _check_loop(learner, TINY, 3, rate)
    _check_loop(learner, MANY, 2, 0.001)
    _check_loop(learner, TINY, 8)
    model, copy = make_model(learner, TINY.shape, 5)
    losses = learner.make(Symbol, "train", model.ref, TINY.xs, TINY.targets, 3, name="losses")
    why = f"by default, `rate` is {RATE:g} and `loss` is `squared_loss`"
    _expect_losses(learner, losses, copy, TINY, [RATE] * 3, why)
    learner.fresh()
    _check_lists_kept(learner, "train", 2)


def _check_loop(  # noqa: PLR0913, PLR0917 - a training
    learner: Learner,
    task: Task,
    steps: int,
    rate: float | None = RATE,
    loss: Loss = SQUARED,
    batch_size: int | None = None,
) -> None:
    """Check a few steps of training on all examples, with a schedule if `rate` is None."""
    model, copy = make_model(learner, task.shape, 5)
    ys = task.ys(loss)
    losses = call_train(learner, model, task.xs, ys, steps, rate, loss, batch_size)
    losses_of(learner, losses, steps)
    rates = [rate_at(step) if rate is None else rate for step in range(steps)]
    before, own = (
        "each loss must be computed with the weights before its step",
        "each step must use its own rate, `rate(step)`",
    )
    _expect_losses(learner, losses, copy, task, rates, own if rate is None else before, loss)
    expect_moved(learner, model, copy, steps=steps)
    learner.fresh()


def _expect_losses(  # noqa: PLR0913, PLR0917 - a training
    learner: Learner,
    losses: Symbol,
    copy: Copy,
    task: Task,
    rates: Sequence[float],
    why: str,
    loss: Loss = SQUARED,
) -> None:
    wanted = [make_step(copy, task.xs, task.ys(loss), rate, loss) for rate in rates]
    pairs = [(losses.reading(f"[{step}]"), number) for step, number in enumerate(wanted)]
    first = "the first loss must be what `loss` gives for all examples, before any weight changes"
    learner.expect_all(pairs[:1], first)
    learner.expect_all(pairs, why)


def test_scheduled_loop(learner: Learner) -> None:
    """`train` accepts a rate that depends on the step"""
    _check_loop(learner, SLOW, 3, None)
    _check_loop(learner, SMALL, 12, None)
    model, copy = make_model(learner, TINY.shape, 0)
    rates = [0.05, 0.0, 0.02, 0.02]
    schedule = learner.expression(f"{rates}.__getitem__")  # callable, but not a function
    given = TINY.xs, TINY.targets, len(rates), schedule
    losses = learner.make(Symbol, "train", model.ref, *given, name="losses")
    why = "`rate` may be anything that can be called, and a rate of 0 is a rate"
    _expect_losses(learner, losses, copy, TINY, rates, why)


def test_batched_loop(learner: Learner) -> None:
    """With `batch_size`, `train` uses every example"""
    _check_loop(learner, SLOW, 3, None, MARGIN, 1)
    for size in (2, 1):
        check_batches_used(learner, size)
    for size in (4, 9):  # as many as there are, or more: one batch
        _check_loop(learner, SMALL, 3, RATE, MARGIN, size)


def test_four_points(learner: Learner) -> None:
    """Four points are learned in 200 steps"""
    model, copy = make_model(learner, FOUR.shape, 8)
    learner.recorder.seconds = FOUR_SECONDS
    losses = call_train(learner, model, FOUR.xs, FOUR.targets, FOUR_STEPS, RATE)
    reported = losses_of(learner, losses, FOUR_STEPS)
    trained = Copy(FOUR.shape, weights_of(learner, model, FOUR.shape))
    before, after = (one.value(SQUARED.of(one, FOUR.xs, FOUR.targets)) for one in (copy, trained))
    learner.expect(
        losses.reading("[0]"),
        before,
        "the first reported loss must be computed with the initial weights",
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


def test_moons(learner: Learner) -> None:
    """The network tells two moons apart in 10 seconds

    Train a few steps at a time until enough points are on the right side. That usually takes two
    rounds. With 4,000 different orders of the batches it never took more than four, and at least
    105 of the 120 points were right after two: with fewer than 90, more rounds are no use.
    """
    shape = Shape(2, (12, 1), ("relu", "linear"))
    model, _ = make_model(learner, shape, 1)
    learner.run()
    xs, ys = [list(point) for point, _ in MOONS], [label for _, label in MOONS]
    learner.recorder.seconds = MOON_SECONDS / MOON_ROUNDS
    most = 0
    for played in range(1, MOON_ROUNDS + 1):
        losses = call_train(learner, model, xs, ys, MOON_STEPS, 1.0, MARGIN, batch_size=10)
        losses_of(learner, losses, MOON_STEPS)
        most = max(most, Trained(shape, weights_of(learner, model, shape)).count_right(xs, ys))
        if most >= MOON_ACCURACY * len(xs):
            return
        if played > 1 and most < MOON_HOPE * len(xs):
            break
    raise Mismatch(
        f"after {played * MOON_STEPS} steps, too few points are on the right side",
        expected=f"{MOON_ACCURACY * len(xs):.0f} of {len(xs)}",
        got=f"{most} of {len(xs)}",
    )
