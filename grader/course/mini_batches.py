"""The examples that a learner's mini-batches hold, and the ones that training used."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from networks import Copy, Shape
from training import SQUARED, call_train, losses_of, make_model, make_step, rate_at, weights_of
from vocabulary import Learner

from grader.suite import Mismatch, Reading, Symbol, close

# seven pairs and a single one; the chance of drawing the same three times is 1 in 4e12
EXAMPLES, BATCHES, EPOCHS = (15, 8, 3)
EXAMPLE_XS = f"[[n / 5 - 1.3] for n in range({EXAMPLES})]"
EXAMPLE_YS = f"[0.9 - n * n / 90 for n in range({EXAMPLES})]"
XS, YS = [[n / 5 - 1.3] for n in range(EXAMPLES)], [0.9 - n * n / 90 for n in range(EXAMPLES)]

Pair = tuple[tuple[float, ...], float]
"""An input and its target."""
Batch = tuple[int, ...]
"""The indices of examples."""


def check_batches(learner: Learner, count: int, size: int, sizes: list[int]) -> list[list[Pair]]:
    """Check the batches, and that `xs` and `ys` are unchanged; return each batch as a list of
    pairs.
    """
    xs, ys = [[1.0 * n, -1.0 * n] for n in range(count)], [10.0 * n for n in range(count)]
    given = [
        learner.expression(f"[[1.0 * n, -1.0 * n] for n in range({count})]", "xs"),
        learner.expression(f"[10.0 * n for n in range({count})]", "ys"),
    ]
    made = learner.make(Symbol, "batches", *(symbol.ref for symbol in given), size, name="parts")
    parts, reading = _parts_of(learner, made)
    if (got := [len(part) for part in parts]) != sizes:
        why = "the batches have the wrong sizes, in this order"
        raise Mismatch(
            why,
            expected=str(sizes),
            got=str(got),
            reading=reading,
            printed="[len(xs) for xs, ys in {}]",
            comment=f"should be {sizes}",
        )
    pairs = [pair for part in parts for pair in part]
    found = sum(pair in pairs for pair in zip(map(tuple, xs), ys))
    if found != count:
        raise Mismatch(
            "every example must appear once, with its own target",
            expected=f"all {count}",
            got=f"{found} of the {count} pairs",
            reading=reading,
        )
    why = "`batches` must not change the lists `xs` and `ys`: shuffle copies"
    learner.expect_all([(given[0].reading(), xs), (given[1].reading(), ys)], why)
    learner.fresh()
    return parts


def check_repeated_examples(learner: Learner) -> None:
    """Check that equal inputs, equal targets and equal examples all keep their places.

    A failure shows no reading, because so few examples often happen to be in the order of a
    different mistake.
    """
    xs, ys = [[1.0], [1.0], [1.0], [2.0], [2.0]], [5.0, 5.0, 7.0, 5.0, 9.0]
    parts, _ = _parts_of(learner, learner.make(Symbol, "batches", xs, ys, 2, name="parts"))
    pairs = [pair for part in parts for pair in part]
    examples = [*zip(map(tuple, xs), ys)]
    if sorted(pairs) != sorted(examples):
        found = (Counter(pairs) & Counter(examples)).total()
        raise Mismatch(
            "every example must appear once, with its own target, even if some are equal",
            expected="all 5",
            got=f"{found} of the 5 pairs",
        )
    learner.fresh()


def _parts_of(learner: Learner, made: Symbol) -> tuple[list[list[Pair]], Reading]:
    """Return each (xs, ys) of a list of batches as a list of pairs, and the list's reading."""
    reading = made.reading("", "value")
    answer: Any
    (answer,) = learner.read([reading])
    try:
        return [[(tuple(x), y) for x, y in zip(xs, ys, strict=True)] for xs, ys in answer], reading
    except (TypeError, ValueError):
        why, expected = "`batches` must return a list of pairs (xs, ys)", "pairs (xs, ys)"
        wrong = learner.wrong_type(reading, why, expected)
        batches = answer if isinstance(answer, list) else []
        odd = [len(batch) for batch in batches if isinstance(batch, list) and len(batch) != 2]
        wrong.got = f"a batch with {odd[0]} items" if odd else wrong.got
        raise wrong from None


def check_orders(learner: Learner) -> None:
    """Check that four examples appear in every order, in batches of any size. A correct `batches`
    leaves one out less than once in 10,000,000,000 times.
    """
    orders = learner.symbol(learner.define("orders", _ORDERS).call("__call__"))
    why = "any order of the examples must be possible, and some never come"
    learner.expect(learner.builtin("len", orders).reading(""), 4 * 24, why)
    learner.fresh()


_ORDERS = """
from train import batches

def orders():
    xs, ys = [[1], [2], [3], [4]], [1, 2, 3, 4]
    return {
        (size, *(y for _, some in batches(xs, ys, size) for y in some))
        for size in (1, 2, 4, 9) for _ in range(700)
    }
"""


def check_batches_used(learner: Learner, size: int) -> None:
    """Check that `train` uses every example once, and then draws new batches."""
    count = -(-EXAMPLES // size)
    why = (
        f"with `batch_size={size}`, every {count} steps must use each of the {EXAMPLES} examples"
        " once, each loss must come from its own batch, and each rate from `rate(step)`"
    )
    used = _batches_of(learner, size, EPOCHS * count, why)
    given = [tuple(range(EXAMPLES))[at : at + size] for at in range(0, EXAMPLES, size)]
    epochs = [used[first : first + count] for first in range(0, len(used), count)]
    if any(epoch in (given, given[::-1]) for epoch in epochs):
        raise Mismatch(
            "shuffle the examples before every round, including the first",
            expected="batches in random order",
            got="the examples in the given order",
        )
    if len(set(map(frozenset if size > 1 else tuple, epochs))) == 1:
        raise Mismatch(
            "draw new batches when all have been used",
            expected="different batches",
            got=f"the same {count} batches, {EPOCHS} times",
        )
    learner.fresh()


def _batches_of(learner: Learner, size: int, steps: int, why: str) -> list[Batch]:
    """Train with a schedule, after a call that left examples unused, and return the batches; raise
    Mismatch if no batches give these losses and these final weights, or if the caller's lists have
    changed.
    """
    rates = [rate_at(step) for step in range(steps)]
    shape = Shape(1, (1,), ("tanh",))
    model, copy = make_model(learner, shape, 6)
    first = call_train(learner, model, [[3.0]] * 4, [1.0] * 4, 1, 0, batch_size=size)
    given = learner.expression(EXAMPLE_XS, "xs"), learner.expression(EXAMPLE_YS, "ys")
    losses = call_train(learner, model, *given, steps, None, batch_size=size)
    reported = losses_of(learner, losses, steps)
    final = weights_of(learner, model, shape)
    used = _batches_used(copy.start, reported, final, rates, size)
    if used is None:
        fit = len(reported)
        while _batches_used(copy.start, reported[:fit], None, rates, size) is None:
            fit -= 1
        odd = (
            f"`losses[{fit}]` fits no examples that are left"
            if fit < len(reported)
            else "the losses fit, and the weights at the end do not"
        )
        raise Mismatch(f"{why}; {odd}")
    kept = "`xs` and `ys` belong to the caller and must not change: work on copies"
    learner.expect_all([(given[0].reading(), XS), (given[1].reading(), YS)], kept)
    again = "every call of `train` must return a new list"
    learner.expect(learner.builtin("len", first).reading(""), 1, again)
    return used


def _batches_used(  # noqa: PLR0913, PLR0917 - a training
    start: Sequence[float],
    losses: Sequence[float],
    final: Sequence[float] | None,
    rates: Sequence[float],
    size: int,
    left: Batch = (),
) -> list[Batch] | None:
    """Search for batches that explain the losses and lead to the final weights; return None if
    there are none. The last batch of an epoch may be smaller, and an epoch uses every example.
    """
    if not losses:
        return [] if final is None or all(map(close, final, start)) else None
    left = left or tuple(range(EXAMPLES))
    copy = Copy(Shape(1, (1,), ("tanh",)), start)
    alone = {at: copy.value(SQUARED.of(copy, [XS[at]], [YS[at]])) for at in left}
    sizes = {size, len(left) % size} - {0}
    for batch in itertools.chain(*(itertools.combinations(left, some) for some in sizes)):
        if close(losses[0], sum(alone[at] for at in batch)):
            trial = Copy(copy.shape, start)
            make_step(trial, [XS[at] for at in batch], [YS[at] for at in batch], rates[0], SQUARED)
            after = [trial.value(ref) for ref in trial.parameters]
            unused = tuple(at for at in left if at not in batch)
            rest = _batches_used(after, losses[1:], final, rates[1:], size, unused)
            if rest is not None:
                return [batch, *rest]
    return None
