"""Phase 8: the judge recomputes every reported loss and every final weight.

Over many steps correct programs drift apart by rounding. So the losses of each step are compared
for only twelve steps at a small rate; longer training is judged by its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import pytest
from guesses import Guesses, guessing, noticing_cuts
from mini_batches import (
    batches_used,
    check_batches,
    check_orders,
    check_repeated_examples,
    first_odd_step,
)
from moons import MOONS
from networks import Copy, Network, Shape
from observations import look_at_loss, look_at_rate
from sensitivity import observing
from training import (
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
from training_guesses import (
    COUNTED,
    COUNTS,
    EXAMPLE_STEPS,
    LOSSES,
    MARGIN,
    PREDICTIONS,
    SCHEDULE,
    SCHEDULES,
    SCORES,
    SQUARED,
)
from vocabulary import Learner, Value
from watched_training import look_at_step, look_at_training

from grader.suite import BackgroundCheck, Expected, Mismatch, Reading, Symbol, close

FOUR = Shape(3, (4, 4, 1), ("tanh", "tanh", "tanh"))
SMALL = Shape(2, (3, 1), ("tanh", "linear"))
XS = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
YS = [1.0, -1.0, -1.0, 1.0]
SMALL_XS = [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75], [0.5, 0.5]]
SMALL_YS = [1.0, -1.0, 0.5, -0.5]
SMALL_LABELS = [1.0, -1.0, 1.0, -1.0]
MANY = [0.25 * (number % 12) - 1.3 for number in range(40)]
STEPS = 12
# seven pairs and a single one; the chance of drawing the same three times is 1 in 4e12
EXAMPLES, BATCHES, EPOCHS = (15, 8, 3)
EXAMPLE_XS = f"[[n / 5 - 1.3] for n in range({EXAMPLES})]"
EXAMPLE_YS = f"[0.9 - n * n / 90 for n in range({EXAMPLES})]"
RATE = 0.05
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
        _check_loss(learner, "squared_loss", squared, numbers, targets, SQUARED, PREDICTIONS)


def test_max_margin_loss(learner: Learner) -> None:
    """`max_margin_loss` is the mean of relu(1 - label * score)"""
    for numbers, targets in (
        ((0.5, -2.0), (1.0, -1.0)),
        ((0.5, -0.25, 3.0, -3.0), (-1.0, 1.0, 1.0, 1.0)),
        ((0.25,), (1.0,)),
        ((3.0,), (1.0,)),
        ((90.0, -70.0), (-1.0, 1.0)),
        (MANY, [-1.0] * len(MANY)),
    ):
        _check_loss(learner, "max_margin_loss", max_margin, numbers, targets, MARGIN, SCORES)


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
    for rate in (0, -0.1):
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


_ASYMMETRIC = "lambda predictions, ys: sum((2 * p - y) ** 2 for p, y in zip(predictions, ys))"


def test_schedule(learner: Learner) -> None:
    """`learning_rate` falls linearly from start to end"""
    for args, wanted in (
        ((0, 4), 0.1),
        ((1, 4), 0.07),
        ((3, 4), 0.01),
        ((0, 1), 0.1),
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
        look = partial(look_at_rate, learner, ask, _right_rate)
        with observing(learner, look), guessing(learner, SCHEDULE, SCHEDULES, ask):
            learner.expect(_rate(learner, *args), wanted)
        learner.fresh()


def _rate(learner: Learner, *args: float) -> Reading:
    return learner.make(Value, "learning_rate", *args, name="rate").reading("")


def _right_rate(step: int, steps: int, start: float, end: float) -> float:
    return start + (end - start) * step / (steps - 1)


def test_batches(learner: Learner) -> None:
    """`batches` uses every pair exactly once, in random order"""
    check_batches(learner, 5, 3, [3, 2])
    check_batches(learner, 24, 5, [5, 5, 5, 5, 4])
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
    """`train` runs `steps` steps and returns the loss of each"""
    with observing(learner, partial(look_at_training, learner)):
        _check_loops(learner)
    _check_defaults(learner)
    _check_lists_kept(learner, "train", 2)


def _check_loops(learner: Learner) -> None:
    for setting in (_TINY_LOOP, _SMALL_LOOP):
        _check_loop(learner, setting, squared, "squared_loss")
        # not the default loss
        _check_loop(learner, setting, max_margin, "max_margin_loss", rate=2 * RATE)
    _check_loop(learner, _TINY_LOOP._replace(steps=0), squared, "squared_loss")
    for rate in (0, 0.3):  # the loss stays as it is, or grows
        _check_loop(learner, _TINY_LOOP, squared, "squared_loss", rate=rate)
    _check_loop(learner, _TINY_LOOP._replace(steps=8), squared, "squared_loss")


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
    for setting in (_TINY_LOOP, _SMALL_LOOP):
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
        _check_batches_used(learner)
    with observing(learner, partial(look_at_training, learner, batched=True, scheduled=True)):
        _check_rates_of_batches(learner)
    _check_batches_of_one(learner)


def _check_batches_used(learner: Learner) -> None:
    steps = EPOCHS * BATCHES
    used, odd = _pairs_used(learner, [RATE] * steps, RATE)
    if used is None:
        raise Mismatch(
            f"with batches of two, every {BATCHES} steps must use each of the {EXAMPLES} examples"
            " once, and each loss must be that of its batch",
            expected="losses and weights of such steps",
            got=odd,
        )
    if len({frozenset(used[first : first + BATCHES]) for first in range(0, steps, BATCHES)}) == 1:
        raise Mismatch(
            "draw new batches when all have been used",
            expected="different pairs of examples",
            got=f"the same {BATCHES} batches, {EPOCHS} times",
        )
    learner.fresh()


def _check_rates_of_batches(learner: Learner) -> None:
    used, _ = _pairs_used(learner, [rate_at(step) for step in range(2 * BATCHES)], None)
    if used is None:
        raise Mismatch(
            "with batches too, `rate(step)` must be called with the number of the step",
            expected="losses and weights of such steps",
            got="others",
        )


def _check_batches_of_one(learner: Learner) -> None:
    """Check batches of a single example, after a call that has left one unused."""
    xs, ys = [[1.0], [-2.0]], [1.0, 1.0]

    def train(xs: list[list[float]], steps: int) -> tuple[Network, Symbol]:
        model, _ = make_model(learner, TINY, 0)
        losses = call_train(
            learner, model, xs, ys, steps, RATE, loss="max_margin_loss", batch_size=1
        )
        return model, losses

    _, first = train([[3.0], [4.0]], 1)
    model, losses = train(xs, 2)
    reported, after = losses_of(learner, losses, 2), weights_of(learner, model, TINY)
    wanted = []
    for order in ((0, 1), (1, 0)):
        copy = Copy(TINY, (0.5, 0.25))
        steps = [make_step(copy, [xs[at]], [ys[at]], RATE, max_margin) for at in order]
        wanted.append([*steps, *map(copy.value, copy.parameters)])
    if not any(all(map(close, [*reported, *after], numbers)) for numbers in wanted):
        raise Mismatch(
            "with `batch_size=1`, each loss must be that of one of the two examples of this call",
            expected=" or ".join(str([round(n, 4) for n in numbers[:2]]) for numbers in wanted),
            got=str([round(loss, 4) for loss in reported]),
            reading=losses.reading("", "value"),
        )
    why = "every call of `train` must return a list of its own"
    learner.expect(learner.builtin("len", first).reading(""), 1, why)
    learner.fresh()


def _pairs_used(
    learner: Learner, rates: list[float], rate: float | None
) -> tuple[list[tuple[int, ...]] | None, str]:
    """Train on batches of two; return the batches, or None and which step is the first odd one."""
    shape = Shape(1, (1,), ("tanh",))
    xs, ys = ([[n / 5 - 1.3] for n in range(EXAMPLES)], [0.9 - n * n / 90 for n in range(EXAMPLES)])
    model, copy = make_model(learner, shape, 6)
    given = learner.expression(EXAMPLE_XS, "xs"), learner.expression(EXAMPLE_YS, "ys")
    losses = call_train(learner, model, *given, len(rates), rate, batch_size=2)
    reported = losses_of(learner, losses, len(rates))
    used = batches_used(copy, xs, ys, reported, weights_of(learner, model, shape), rates)
    return used, "" if used else first_odd_step(copy, xs, ys, reported)


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


# --- the judge's own losses and steps ---


# --- what the learner's code is asked ---


def _check_loss(  # noqa: PLR0913, PLR0917 - a loss, an example and likely mistakes
    learner: Learner,
    name: str,
    loss: Loss,
    numbers: Sequence[float],
    targets: Sequence[float],
    guesses: Guesses,
    tries: Sequence[Sequence[object]],
) -> None:
    copy = Copy(Shape(0, (), ()), numbers)
    wanted = loss(copy, copy.parameters, targets)
    given, listed = _predictions(learner, numbers)
    listed_targets = learner.expression(repr(list(targets)), "targets")
    total = learner.make(Value, name, listed.ref, listed_targets, name="loss")
    total.backward()

    def ask(predictions: Sequence[float], wanted: Sequence[float]) -> Reading:
        listed = _predictions(learner, predictions)[1]
        return learner.make(Value, name, listed.ref, list(wanted), name="loss").data

    def right(predictions: Sequence[float], wanted: Sequence[float]) -> float:
        made = Copy(Shape(0, (), ()), predictions)
        return made.value(loss(made, made.parameters, wanted))

    words = ("prediction", "target") if loss is squared else ("score", "label")
    look = partial(look_at_loss, learner, ask, right, *words)
    with observing(learner, look), guessing(learner, guesses, tries, ask):
        learner.expect(total.data, copy.value(wanted))
    slopes = copy.gradients(wanted)
    with observing(learner, look), noticing_cuts():
        learner.expect_all([Expected(value.grad, slope) for value, slope in zip(given, slopes)])
    kept = listed.reading("", "refs")
    if learner.read([kept]) != [[value.ref for value in given]]:
        raise Mismatch(
            f"`{name}` must not change the list of predictions",
            expected="the same Values",
            got="a changed list",
            reading=kept,
        )
    why = f"`{name}` must not change the list of {words[1]}s"
    learner.expect(listed_targets.reading(), list(targets), why)
    learner.fresh()


def _predictions(learner: Learner, numbers: Sequence[float]) -> tuple[list[Value], Symbol]:
    """Make a Value of each number, and a list of them."""
    given = [learner.value(number, f"p{index}") for index, number in enumerate(numbers)]
    listed = learner.builtin("list", [value.ref for value in given])
    return given, learner.named("predictions", listed)


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


class _Loop(NamedTuple):
    """A network to train for a few steps, on what."""

    shape: Shape
    xs: list[list[float]]
    ys: list[float]
    labels: list[float]
    steps: int


_TINY_LOOP = _Loop(TINY, TINY_XS, TINY_YS, TINY_LABELS, 3)
_SMALL_LOOP = _Loop(SMALL, SMALL_XS, SMALL_YS, SMALL_LABELS, STEPS)


def _check_loop(
    learner: Learner, loop: _Loop, loss: Loss, name: str, *, rate: float | None = RATE
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
