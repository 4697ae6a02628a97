"""Which examples a learner's mini-batches hold, and which ones training used."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from networks import Copy, Network, Shape
from training import (
    RATE,
    TINY,
    call_train,
    loss_of,
    losses_of,
    make_model,
    make_step,
    max_margin,
    rate_at,
    squared,
    weights_of,
)
from vocabulary import Learner

from grader.suite import Answer, Mismatch, Reading, Symbol, close

# seven pairs and a single one; the chance of drawing the same three times is 1 in 4e12
EXAMPLES, BATCHES, EPOCHS = (15, 8, 3)
EXAMPLE_XS = f"[[n / 5 - 1.3] for n in range({EXAMPLES})]"
EXAMPLE_YS = f"[0.9 - n * n / 90 for n in range({EXAMPLES})]"


def check_batches(
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
    parts = parts_of(learner, answer, reading)
    if [len(part) for part in parts] != sizes:
        got = [len(part) for part in parts]
        why = "; ".join(["the batches have the wrong sizes", *_sized(got, size, count)])
        wrong = Mismatch(why, expected=str(sizes), got=str(got), reading=reading)
        wrong.explained = ";" in why
        raise wrong
    pairs = [pair for part in parts for pair in part]
    found = sum(pair in pairs for pair in zip(map(tuple, xs), ys))
    if found != len(xs) or len(pairs) != len(xs):
        raise Mismatch(
            f"every example must appear once, with its own target{_paired(pairs, count)}",
            expected=f"{len(xs)} of the pairs",
            got=f"{found} of them, among {len(pairs)}",
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


def check_repeated_examples(learner: Learner) -> None:
    """Check that equal inputs, equal targets and equal examples all keep their places.

    A failure has no reading: so few examples often come in the order of some other mistake.
    """
    xs, ys = [[1.0], [1.0], [1.0], [2.0], [2.0]], [5.0, 5.0, 7.0, 5.0, 9.0]
    made = learner.make(Symbol, "batches", xs, ys, 2, name="parts")
    reading = made.reading("", "value")
    (answer,) = learner.read([reading])
    pairs = [pair for part in parts_of(learner, answer, reading) for pair in part]
    if sorted(pairs) != sorted(zip(map(tuple, xs), ys)):
        raise Mismatch(
            "every example must appear once, with its own target, also if some are equal",
            expected="the five examples",
            got=f"{len(pairs)} others",
        )
    learner.fresh()


def check_orders(learner: Learner) -> None:
    """Check that four examples come in every order. A correct `batches` leaves one out less than
    once in 10,000,000,000 times.
    """
    orders = learner.symbol(learner.define("orders", _ORDERS).call("__call__"))
    why = "any order of the examples must be possible, and some never come"
    learner.expect(learner.builtin("len", orders).reading(""), 24, why)
    learner.fresh()


_ORDERS = """
from train import batches

def orders():
    xs, ys = [[1], [2], [3], [4]], [1, 2, 3, 4]
    return {tuple(y for _, some in batches(xs, ys, 2) for y in some) for _ in range(700)}
"""


def _sized(found: list[int], size: int, count: int) -> Iterator[str]:
    """Yield what is wrong with the sizes of the batches of `count` examples."""
    whole, rest = divmod(count, size)
    wanted = [size] * whole + [rest] * (rest > 0)
    if found == [size] * whole:
        yield f"the last batch, with the remaining {rest}, is missing"
    elif found == [size] * (whole + 1):
        yield f"the last batch should have only the remaining {rest}"
    elif found == [min(size, count - first) for first in range(count)]:
        yield f"a batch begins at every example; only every {size} examples should one begin"
    elif found[:-1] == wanted and found[-1] > 0:
        yield f"after the last batch there is another one, with {found[-1]} examples"
    elif found[-1:] == [0]:
        yield "the last batch is empty"
    elif len(found) == size != whole + 1 and size not in found and size > 1:
        yield "`size` is the number of examples in a batch, and not the number of batches"


def _paired(pairs: list[tuple[tuple[float, ...], float]], count: int) -> str:
    """Return how the pairs are wrong, if each belongs to the examples n = 0, 1, 2 and so on."""
    xs, ys = sorted(x[0] for x, _ in pairs if x), sorted(y for _, y in pairs)
    if xs == [1.0 * n for n in range(count)] and ys == [10.0 * n for n in range(count)]:
        return "; all inputs and targets are there, but in other pairs"
    if all(10.0 * x[0] == y for x, y in pairs if x) and len(set(pairs)) < len(pairs):
        return "; some appear more than once"
    return ""


def check_batches_used(learner: Learner) -> None:
    """Check that `train` uses every example once, and then draws new batches."""
    steps = EPOCHS * BATCHES
    used, odd = _pairs_used(learner, [RATE] * steps, RATE)
    if used is None:
        raise Mismatch(
            f"with batches of two, every {BATCHES} steps must use each of the {EXAMPLES} examples"
            " once, and each loss must be that of its batch",
            expected="losses and weights of such steps",
            got=odd,
        )
    given = [tuple(range(EXAMPLES))[at : at + 2] for at in range(0, EXAMPLES, 2)]
    if any(
        used[first : first + BATCHES] in (given, given[::-1]) for first in range(0, steps, BATCHES)
    ):
        raise Mismatch(
            "shuffle the examples before every round, also before the first",
            expected="batches in random order",
            got="the examples in the given order",
        )
    if len({frozenset(used[first : first + BATCHES]) for first in range(0, steps, BATCHES)}) == 1:
        raise Mismatch(
            "draw new batches when all have been used",
            expected="different pairs of examples",
            got=f"the same {BATCHES} batches, {EPOCHS} times",
        )
    learner.fresh()


def check_rates_of_batches(learner: Learner) -> None:
    """Check that `train` asks a schedule for the rate of each step, with batches too."""
    used, _ = _pairs_used(learner, [rate_at(step) for step in range(BATCHES)], None)
    if used is None:
        raise Mismatch(
            "with batches too, `rate(step)` must be called with the number of the step",
            expected="losses and weights of such steps",
            got="others",
        )


def check_batches_of_one(learner: Learner) -> None:
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
    used = _batches_used(copy, xs, ys, reported, weights_of(learner, model, shape), rates)
    return used, "" if used else _first_odd_step(copy, xs, ys, reported)


def _batches_used(  # noqa: PLR0913, PLR0917 - the state of a search
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
    alone = {index: loss_of(copy, [xs[index]], [ys[index]], squared) for index in left}
    for batch in (
        *itertools.combinations(left, 2),
        *(((index,) for index in left) if len(left) % 2 else ()),
    ):
        if close(losses[0], sum(alone[index] for index in batch)):
            trial = Copy(copy.shape, numbers)
            make_step(trial, [xs[i] for i in batch], [ys[i] for i in batch], rates[0], squared)
            rest = _batches_used(
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
    trial, unused, before = Copy(copy.shape, copy.start), set(range(len(xs))), None
    for step, loss in enumerate(losses):
        alone = [loss_of(trial, [x], [y], squared) for x, y in zip(xs, ys)]
        pairs = [*itertools.combinations(range(len(xs)), 2), *((i,) for i in range(len(xs)))]
        fits = [batch for batch in pairs if close(loss, sum(alone[index] for index in batch))]
        if close(loss, sum(alone)):
            return f"the loss of all examples in step {step}"
        if not fits:
            return f"a loss in step {step} that no batch of two has"
        if len(fits) > 1:
            break
        if step and fits[0] == before:
            return f"the same batch in steps {step - 1} and {step}"
        if not unused.issuperset(fits[0]):
            return f"an example again in step {step}, before all had been used"
        make_step(trial, [xs[i] for i in fits[0]], [ys[i] for i in fits[0]], RATE, squared)
        before, unused = fits[0], unused.difference(fits[0]) or set(range(len(xs)))
    return "losses or weights that no such steps give"


def parts_of(
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
