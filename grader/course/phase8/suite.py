"""Phase 8: the judge recomputes every reported loss and every final weight.

Over many steps correct programs drift apart by rounding. So the losses of each step are compared
for only twelve steps at a small rate; longer training is judged by its result.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from moons import MOONS
from networks import Copy, Network, Shape, make, set_weights
from vocabulary import Learner, Value

from grader.suite import (
    Answer,
    BackgroundCheck,
    Expected,
    Kind,
    Mismatch,
    Reading,
    Ref,
    Symbol,
    close,
)

FOUR = Shape(3, (4, 4, 1), ("tanh", "tanh", "tanh"))
SMALL = Shape(2, (3, 1), ("tanh", "linear"))
TINY = Shape(1, (1,), ("linear",))  # w = 0.5 and b = 0.25 in every check
TINY_XS, TINY_YS, TINY_LABELS = [[2.0]], [1.0], [-1.0]
XS = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
YS = [1.0, -1.0, -1.0, 1.0]
SMALL_XS = [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75], [0.5, 0.5]]
SMALL_YS = [1.0, -1.0, 0.5, -0.5]
SMALL_LABELS = [1.0, -1.0, 1.0, -1.0]
MANY = [0.25 * number - 1.3 for number in range(12)]
STEPS = 12
# seven pairs and a single one; the chance of drawing the same three times is 1 in 4e12
EXAMPLES, BATCHES, EPOCHS = (15, 8, 3)
EXAMPLE_XS = f"[[n / 5 - 1.3] for n in range({EXAMPLES})]"
EXAMPLE_YS = f"[0.9 - n * n / 90 for n in range({EXAMPLES})]"
RATE = 0.05
FOUR_STEPS, FOUR_LOSS, FOUR_SECONDS = 200, 0.05, 10.0  # a slow engine needs two
MOON_ROUNDS, MOON_STEPS, MOON_SECONDS, MOON_ACCURACY, MOON_HOPE = 8, 36, 10.0, 0.95, 0.75

Loss = Callable[[Copy, list[Ref], Sequence[float]], Ref]


def test_squared_loss(learner: Learner) -> None:
    """`squared_loss` sums the squared differences into one Value"""
    for numbers, targets in (
        ((3.0, -1.0), (1.0, 0.5)),  # common mistakes all give different numbers
        ((0.5, -1.5, 2.0), (-1.0, 1.0, 2.5)),
        ((0.25,), (1.0,)),
        (MANY, [-0.5] * len(MANY)),
    ):
        _check_loss(learner, "squared_loss", _squared, numbers, targets)


def test_max_margin_loss(learner: Learner) -> None:
    """`max_margin_loss` is the mean of relu(1 - label * score)"""
    for numbers, targets in (
        ((0.5, -2.0), (1.0, -1.0)),
        ((0.5, -0.25, 3.0, -3.0), (-1.0, 1.0, 1.0, 1.0)),
        ((0.25,), (1.0,)),
        (MANY, [-1.0] * len(MANY)),
    ):
        _check_loss(learner, "max_margin_loss", _max_margin, numbers, targets)


def test_one_step(learner: Learner) -> None:
    """`train_step` takes one step and returns the loss before it"""
    for shape, xs, ys in (
        (TINY, TINY_XS, TINY_YS),
        (TINY, [[2.0], [-1.0]], [1.0, 0.5]),
        (SMALL, SMALL_XS, SMALL_YS),
        (FOUR, XS, YS),
    ):
        for rate in (0.05, 0.2):
            _check_steps(learner, shape, xs, ys, [rate], _squared)


def test_zeroed(learner: Learner) -> None:
    """`train_step` clears the gradients left by earlier steps"""
    for shape, xs, ys in ((TINY, TINY_XS, TINY_YS), (SMALL, SMALL_XS, SMALL_YS)):
        model, copy = _model(learner, shape, 2)
        for path in shape.paths[:3]:
            model.put(f"{path}.grad", 5.0)
        _step(learner, model, xs, ys, 0.1, "")
        _move(copy, xs, ys, 0.1, _squared)
        _expect_weights(
            learner, model, shape, copy, "clear the gradients of earlier steps before `backward()`"
        )
        learner.fresh()


def test_other_loss(learner: Learner) -> None:
    """`train_step` uses the loss function it is given"""
    small = ((TINY, TINY_XS, TINY_LABELS), (SMALL, SMALL_XS, SMALL_LABELS))
    for shape, xs, labels in small:
        model, copy = _model(learner, shape, 4)
        reported = _step(learner, model, xs, labels, 0.1, "max_margin_loss")
        learner.expect(reported, _move(copy, xs, labels, 0.1, _max_margin))
        _expect_weights(learner, model, shape, copy)
        learner.fresh()
    # an asymmetric loss: the course's own losses ignore the order of their arguments
    why = "`train_step` must call `loss(predictions, ys)`, with the predictions first"
    for shape, xs, ys in ((TINY, TINY_XS, TINY_YS), (SMALL, SMALL_XS, SMALL_YS)):
        model, copy = _model(learner, shape, 4)
        reported = _step(learner, model, xs, ys, 0.1, _ASYMMETRIC)
        learner.expect(reported, _move(copy, xs, ys, 0.1, _asymmetric), why)
        _expect_weights(learner, model, shape, copy, why)
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
    ):
        learner.expect(learner.make(Value, "learning_rate", *args, name="rate").reading(""), wanted)
        learner.fresh()


def test_batches(learner: Learner) -> None:
    """`batches` uses every pair exactly once, in random order"""
    _check_batches(learner, 5, 3, [3, 2])
    _check_batches(learner, 24, 5, [5, 5, 5, 5, 4])
    _check_batches(learner, 3, 5, [3])
    whole = [_check_batches(learner, 24, 24, [24]) for _ in range(2)]
    if whole[0] == whole[1]:
        raise Mismatch(
            "`batches` must draw a new random order in every call",
            expected="two different orders",
            got="the same order twice",
        )
    parted = [[set(part) for part in _check_batches(learner, 24, 4, [4] * 6)] for _ in range(2)]
    if parted[0] == parted[1]:
        raise Mismatch(
            "shuffle all examples before you cut them into batches, so that any two can meet",
            expected="different batches in two calls",
            got="the same batches twice",
        )


def _check_batches(
    learner: Learner, count: int, size: int, sizes: list[int]
) -> list[list[tuple[tuple[float, ...], float]]]:
    """Check the batches, and that `xs` and `ys` are unchanged; return each batch as a list of
    pairs.
    """
    xs, ys = [[1.0 * n, -1.0 * n] for n in range(count)], [10.0 * n for n in range(count)]
    given = [
        learner.expression(f"[[1.0 * n, -1.0 * n] for n in range({count})]", "xs"),
        learner.expression(f"[10.0 * n for n in range({count})]", "ys"),
    ]
    made = learner.make(Symbol, "batches", *(symbol.ref for symbol in given), size, name="parts")
    reading = made.reading("", "value")
    answer, *left = learner.read([reading, *(symbol.reading("", "value") for symbol in given)])
    parts = _parts(learner, answer, reading)
    if [len(part) for part in parts] != sizes:
        got = str([len(part) for part in parts])
        raise Mismatch(
            "the batches have the wrong sizes", expected=str(sizes), got=got, reading=reading
        )
    pairs = [pair for part in parts for pair in part]
    found = sum(pair in pairs for pair in zip(map(tuple, xs), ys))
    if found != len(xs) or len(pairs) != len(xs):
        raise Mismatch(
            "every example must appear once, with its own target",
            expected=f"{len(xs)} pairs",
            got=f"{len(pairs)} pairs, which include {found} of these",
            reading=reading,
        )
    for name, before, after in zip(("xs", "ys"), (xs, ys), left):
        if after != before:
            raise Mismatch(
                f"`batches` must not change the list `{name}`: shuffle a copy",
                expected="an unchanged list",
                got="a changed one",
                reading=reading,
            )
    learner.fresh()
    return parts


def test_loop(learner: Learner) -> None:
    """`train` runs `steps` steps and returns the loss of each"""
    for setting in (_TINY_LOOP, _SMALL_LOOP):
        _check_loop(learner, setting, _squared, "squared_loss")
        # not the default loss
        _check_loop(learner, setting, _max_margin, "max_margin_loss", rate=2 * RATE)
    _check_loop(learner, _TINY_LOOP._replace(steps=0), _squared, "squared_loss")
    _check_defaults(learner)


def _check_defaults(learner: Learner) -> None:
    """Check the losses of `train` with its own rate and loss."""
    model, copy = _model(learner, TINY, 5)
    losses = learner.make(Symbol, "train", model.ref, TINY_XS, TINY_YS, 3, name="losses")
    wanted = [_move(copy, TINY_XS, TINY_YS, RATE, _squared) for _ in range(3)]
    for number, want in enumerate(wanted):
        why = f"by default, `rate` is {RATE:g} and `loss` is `squared_loss`"
        learner.expect(losses.reading(f"[{number}]"), want, why)
    learner.fresh()


def test_scheduled_loop(learner: Learner) -> None:
    """`train` accepts a learning rate that depends on the step"""
    for setting in (_TINY_LOOP, _SMALL_LOOP):
        _check_loop(learner, setting, _squared, "squared_loss", rate=None)


def test_batched_loop(learner: Learner) -> None:
    """With `batch_size`, `train` uses every example, then redraws"""
    shape = Shape(1, (1,), ("tanh",))
    xs = [[n / 5 - 1.3] for n in range(EXAMPLES)]
    ys = [0.9 - n * n / 90 for n in range(EXAMPLES)]
    steps = EPOCHS * BATCHES
    model, copy, reported = _train_on_pairs(learner, shape, steps, RATE)
    used = _explain(copy, xs, ys, reported, _weights(learner, model, shape), [RATE] * steps)
    if used is None:
        raise Mismatch(
            f"with batches of two, every {BATCHES} steps must use each of the {len(xs)} examples"
            " once, and each loss must be that of its batch",
            expected="losses and weights of such steps",
            got=_first_odd_step(copy, xs, ys, reported),
        )
    if len({frozenset(used[first : first + BATCHES]) for first in range(0, steps, BATCHES)}) == 1:
        raise Mismatch(
            "draw new batches when all have been used",
            expected="different pairs of examples",
            got=f"the same {BATCHES} batches, {EPOCHS} times",
        )
    learner.fresh()
    model, copy, reported = _train_on_pairs(learner, shape, BATCHES, None)
    rates = [_rate(step) for step in range(BATCHES)]
    if _explain(copy, xs, ys, reported, _weights(learner, model, shape), rates) is None:
        raise Mismatch(
            "with batches too, `rate(step)` must be called with the number of the step",
            expected="losses and weights of such steps",
            got="others",
        )


def _train_on_pairs(
    learner: Learner, shape: Shape, steps: int, rate: float | None
) -> tuple[Network, Copy, list[float]]:
    """Train on batches of two examples; return the model, the judge's copy and the losses."""
    model, copy = _model(learner, shape, 6)
    given = learner.expression(EXAMPLE_XS, "xs"), learner.expression(EXAMPLE_YS, "ys")
    losses = _train(learner, model, *given, steps, rate, batch_size=2)
    return model, copy, _numbers(learner, losses, steps)


def _rate(step: int) -> float:
    return 0.1 / (1 + step)


def _explain(  # noqa: PLR0913, PLR0917 - the state of a search
    copy: Copy,
    xs: list[list[float]],
    ys: list[float],
    losses: Sequence[float],
    final: list[float],
    rates: Sequence[float],
    left: tuple[int, ...] = (),
) -> list[tuple[int, ...]] | None:
    """Search for batches that explain the losses and lead to the final weights; return None if
    there are none. Each has two examples, an odd one is alone, and an epoch uses every example.
    """
    numbers = [copy.value(ref) for ref in copy.parameters]
    if not losses:
        return [] if all(map(close, final, numbers)) else None
    left = left or tuple(range(len(xs)))
    alone = {index: _loss(copy, [xs[index]], [ys[index]], _squared) for index in left}
    for batch in (
        *itertools.combinations(left, 2),
        *(((index,) for index in left) if len(left) % 2 else ()),
    ):
        if close(losses[0], sum(alone[index] for index in batch)):
            trial = Copy(copy.shape, numbers)
            _move(trial, [xs[i] for i in batch], [ys[i] for i in batch], rates[0], _squared)
            rest = _explain(
                trial,
                xs,
                ys,
                losses[1:],
                final,
                rates[1:],
                tuple(index for index in left if index not in batch),
            )
            if rest is not None:
                return [batch, *rest]
    return None


def _first_odd_step(
    copy: Copy, xs: list[list[float]], ys: list[float], losses: Sequence[float]
) -> str:
    """Say what is wrong with the first step whose loss is not that of two examples still unused."""
    trial, unused = Copy(copy.shape, copy.start), set(range(len(xs)))
    for step, loss in enumerate(losses):
        alone = [_loss(trial, [x], [y], _squared) for x, y in zip(xs, ys)]
        pairs = [*itertools.combinations(range(len(xs)), 2), *((i,) for i in range(len(xs)))]
        fits = [batch for batch in pairs if close(loss, sum(alone[index] for index in batch))]
        if close(loss, sum(alone)):
            return f"the loss of all examples in step {step}"
        if not fits:
            return f"a loss in step {step} that no batch of two has"
        if len(fits) > 1:
            break
        if not unused.issuperset(fits[0]):
            return f"an example again in step {step}, before all had been used"
        _move(trial, [xs[i] for i in fits[0]], [ys[i] for i in fits[0]], 0.05, _squared)
        unused = unused.difference(fits[0]) or set(range(len(xs)))
    return "losses or weights that no such steps give"


def test_four_points(learner: Learner) -> None:
    """Four points: the loss falls below 0.05 in 200 steps"""
    model, copy = _model(learner, FOUR, 8)
    learner.seconds = FOUR_SECONDS
    reported = _numbers(learner, _train(learner, model, XS, YS, FOUR_STEPS, RATE), FOUR_STEPS)
    before = _loss(copy, XS, YS, _squared)
    after = _loss(Copy(FOUR, _weights(learner, model, FOUR)), XS, YS, _squared)
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
    model, _ = _model(learner, shape, 1)
    learner.run()
    xs, ys = [list(point) for point, _ in MOONS], [label for _, label in MOONS]
    learner.seconds = MOON_SECONDS / MOON_ROUNDS
    most = 0
    for played in range(1, MOON_ROUNDS + 1):
        losses = _train(
            learner, model, xs, ys, MOON_STEPS, 1.0, loss="max_margin_loss", batch_size=10
        )
        _numbers(learner, losses, MOON_STEPS)
        most = max(most, shape.count_right(_weights(learner, model, shape), xs, ys))
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


def _squared(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    program, total = copy.program, None
    for output, target in zip(outputs, targets):
        square = program.apply("**", program.apply("-", output, target), 2)
        total = square if total is None else program.apply("+", total, square)
    assert total is not None
    return total


def _asymmetric(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    return _squared(copy, [copy.program.apply("*", 2, output) for output in outputs], targets)


def _max_margin(copy: Copy, outputs: list[Ref], targets: Sequence[float]) -> Ref:
    program, total = copy.program, None
    for output, target in zip(outputs, targets):
        loss = program.apply("relu", program.apply("-", 1, program.apply("*", target, output)))
        total = loss if total is None else program.apply("+", total, loss)
    assert total is not None
    return program.apply("/", total, len(outputs))


def _loss(copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float], loss: Loss) -> float:
    return copy.value(loss(copy, [copy(x)[0] for x in xs], ys))


def _move(
    copy: Copy, xs: Sequence[Sequence[float]], ys: Sequence[float], rate: float, loss: Loss
) -> float:
    """Take one step with the judge's copy; return the loss before it."""
    total = loss(copy, [copy(x)[0] for x in xs], ys)
    value = copy.value(total)
    numbers = [
        copy.value(ref) - rate * slope for ref, slope in zip(copy.parameters, copy.gradients(total))
    ]
    fresh = Copy(copy.shape, numbers)
    copy.program, copy.parameters = fresh.program, fresh.parameters
    return value


# --- what the learner's code is asked ---


def _check_loss(
    learner: Learner, name: str, loss: Loss, numbers: Sequence[float], targets: Sequence[float]
) -> None:
    copy = Copy(Shape(0, (), ()), numbers)
    wanted = loss(copy, copy.parameters, targets)
    given = [learner.value(number, f"p{index}") for index, number in enumerate(numbers)]
    listed = learner.builtin("list", [value.ref for value in given])
    learner.named("predictions", listed)
    total = learner.make(Value, name, listed.ref, list(targets), name="loss")
    total.backward()
    learner.expect(total.data, copy.value(wanted))
    learner.expect_all(
        [Expected(value.grad, slope) for value, slope in zip(given, copy.gradients(wanted))]
    )
    kept = listed.reading("", "refs")
    if learner.read([kept]) != [[value.ref for value in given]]:
        raise Mismatch(
            f"`{name}` must not change the list of predictions",
            expected="the same Values",
            got="a changed list",
            reading=kept,
        )
    learner.fresh()


def _model(learner: Learner, shape: Shape, seed: int) -> tuple[Network, Copy]:
    kinds = shape.kinds[0], shape.kinds[-1]
    model = make(learner, "MLP", shape.inputs, list(shape.layers), *kinds, name="model")
    if shape is TINY:
        model.set(shape.paths, (0.5, 0.25))
        return model, Copy(shape, (0.5, 0.25))
    return model, Copy(shape, set_weights(learner, model, shape, seed))


def _step(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner, model: Network, xs: list[list[float]], ys: list[float], rate: float, loss: str
) -> Reading:
    more = [learner.expression(loss)] if loss else []
    return learner.make(Value, "train_step", model.ref, xs, ys, rate, *more, name="loss").reading(
        ""
    )


def _check_steps(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
    learner: Learner,
    shape: Shape,
    xs: list[list[float]],
    ys: list[float],
    rates: Sequence[float],
    loss: Loss,
) -> None:
    model, copy = _model(learner, shape, 1)
    for rate in rates:
        reported = _step(learner, model, xs, ys, rate, "")
        learner.expect(
            reported,
            _move(copy, xs, ys, rate, loss),
            "`train_step` must return the loss of the weights before the step",
        )
        _expect_weights(learner, model, shape, copy)
    learner.fresh()


def _train(  # noqa: PLR0913, PLR0917 - the arguments of the learner's function
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
    given = learner.expression("lambda step: 0.1 / (1 + step)") if rate is None else rate
    arguments = [model.ref, xs, ys, steps, given, learner.expression(loss), batch_size]
    return learner.make(Symbol, "train", *arguments, name="losses")


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
    model, copy = _model(learner, loop.shape, 5)
    ys = loop.ys if loss is _squared else loop.labels
    rates = [_rate(step) if rate is None else rate for step in range(loop.steps)]
    losses = _train(learner, model, loop.xs, ys, loop.steps, rate, loss=name)
    for number, (got, at) in enumerate(zip(_numbers(learner, losses, loop.steps), rates)):
        want = _move(copy, loop.xs, ys, at, loss)
        if not close(got, want):
            raise Mismatch(
                f"the loss of step {number} must be that of the weights before that step",
                expected=want,
                got=got,
                reading=losses.reading(f"[{number}]"),
            )
    _expect_weights(learner, model, loop.shape, copy, steps=loop.steps)
    learner.fresh()


def _numbers(learner: Learner, losses: Symbol, count: int) -> list[float]:
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


def _weights(learner: Learner, model: Network, shape: Shape) -> list[float]:
    answers = learner.read([model.reading(f"{path}.data") for path in shape.paths])
    for path, answer in zip(shape.paths, answers):
        if type(answer) not in {int, float}:
            why = f"after training, `{path}.data` must be a plain number"
            raise learner.wrong_type(model.reading(f"{path}.data"), why, "a number")
    return [float(answer) for answer in answers]  # type: ignore[arg-type]


def _expect_weights(  # noqa: PLR0913, PLR0917 - what was trained, and how
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


def _parts(
    learner: Learner, answer: Answer, reading: Reading
) -> list[list[tuple[tuple[float, ...], float]]]:
    """Return a list of (xs, ys) as lists of pairs."""
    try:
        return [[(tuple(x), y) for x, y in zip(xs, ys, strict=True)] for xs, ys in answer]  # type: ignore[union-attr,misc,arg-type,str-unpack]
    except (TypeError, ValueError):
        why, expected = "`batches` must return a list of pairs (xs, ys)", "pairs (xs, ys)"
        wrong = learner.wrong_type(reading, why, expected)
        for batch in answer if isinstance(answer, list) else ():
            if isinstance(batch, list) and len(batch) != 2:
                wrong.got = f"a batch with {len(batch)} items"
                break
        raise wrong from None
