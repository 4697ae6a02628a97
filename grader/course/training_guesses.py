"""What losses, schedules and training steps give if there is a likely mistake in them."""

# ruff: noqa: ARG005 - every guess gets the same arguments

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from guesses import Guesses

Numbers = Sequence[float]

# predictions and targets
PREDICTIONS = (
    ([0.75, -1.25], [0.25, 1.5]),
    ([1.5, 0.25, -0.75], [2.25, -1.0, 0.5]),
    ([-0.25, 1.75, 0.5, 2.0], [0.75, 1.25, -1.5, 0.25]),
)
SCORES = (
    ([0.75, -1.25, 0.25], [1.0, 1.0, -1.0]),
    ([1.5, -0.25, -0.75, 2.5], [1.0, -1.0, 1.0, -1.0]),
    ([-0.5, 1.75, 0.5, 3.0, -2.0], [-1.0, 1.0, 1.0, 1.0, 1.0]),
    ([2.5, -3.0, 0.5], [1.0, -1.0, -1.0]),
)
# step, steps, start and end
SCHEDULES = (
    *((0, 4, 0.3, 0.02), (1, 4, 0.3, 0.02), (3, 4, 0.3, 0.02)),
    *((2, 6, 1.0, 0.15), (4, 6, 1.0, 0.15)),
)
# examples, targets and rate, for a linear neuron with the weight 0.5 and the bias 0.25
EXAMPLE_STEPS = (
    ([[1.5], [-0.5], [2.0]], [0.5, 1.5, -1.0], 0.1),
    ([[0.75], [-1.25]], [1.25, 0.5], 0.03),
)
EXAMPLE_MOVES = tuple((*example, which) for example in EXAMPLE_STEPS for which in (0, 1))


def _errors(ps: Numbers, ts: Numbers) -> list[float]:
    return [p - t for p, t in zip(ps, ts)]


def _squares(ps: Numbers, ts: Numbers) -> list[float]:
    return [error * error for error in _errors(ps, ts)]


SQUARED: Guesses = {
    "this divides the sum by the number of examples; here the loss is the sum": lambda ps, ts: (
        sum(_squares(ps, ts)) / len(ps)
    ),
    "this is half of the sum of the squares; return the whole sum": lambda ps, ts: (
        sum(_squares(ps, ts)) / 2
    ),
    "this is half of the mean of the squares; here the loss is their sum": lambda ps, ts: (
        sum(_squares(ps, ts)) / 2 / len(ps)
    ),
    "this is the square root of the sum of the squares; return the sum": lambda ps, ts: math.sqrt(
        sum(_squares(ps, ts))
    ),
    "this is the root mean square error; here the loss is the sum of squares": lambda ps, ts: (
        math.sqrt(sum(_squares(ps, ts)) / len(ps))
    ),
    "this adds up the differences; square each of them first": lambda ps, ts: sum(_errors(ps, ts)),
    "this adds up target - prediction; square each difference first": lambda ps, ts: (
        -sum(_errors(ps, ts))
    ),
    "this adds up the absolute differences; square them": lambda ps, ts: sum(
        map(abs, _errors(ps, ts))
    ),
    "this squares the sum of the differences; square each difference, then add": lambda ps, ts: (
        sum(_errors(ps, ts)) ** 2
    ),
    "this squares prediction and target separately; square their difference": lambda ps, ts: sum(
        p * p - t * t for p, t in zip(ps, ts)
    ),
    "this squares only the target; square the difference": lambda ps, ts: sum(
        p - t * t for p, t in zip(ps, ts)
    ),
    "this squares the sum of prediction and target; square their difference": lambda ps, ts: sum(
        (p + t) ** 2 for p, t in zip(ps, ts)
    ),
    "this multiplies each difference by the target; square it": lambda ps, ts: sum(
        (p - t) * t for p, t in zip(ps, ts)
    ),
    "this multiplies each difference by the prediction; square it": lambda ps, ts: sum(
        (p - t) * p for p, t in zip(ps, ts)
    ),
    "this doubles each difference; square it": lambda ps, ts: 2 * sum(_errors(ps, ts)),
    "this raises each difference to the power of 3; square it": lambda ps, ts: sum(
        error**3 for error in _errors(ps, ts)
    ),
    "this does not use the targets": lambda ps, ts: sum(p * p for p in ps),
    "only the last example counts here; add up all of them": lambda ps, ts: _squares(ps, ts)[-1],
    "only the first example counts here; add up all of them": lambda ps, ts: _squares(ps, ts)[0],
    "the last example is missing in this sum": lambda ps, ts: sum(_squares(ps, ts)[:-1]),
    "the first example is missing in this sum": lambda ps, ts: sum(_squares(ps, ts)[1:]),
    "this pairs every prediction with every target; pair them one to one": lambda ps, ts: sum(
        (p - t) ** 2 for p in ps for t in ts
    ),
}


def _relu(number: float) -> float:
    return max(0.0, number)


def _margins(ss: Numbers, ls: Numbers) -> list[float]:
    return [1 - label * score for score, label in zip(ss, ls)]


def _hinges(ss: Numbers, ls: Numbers) -> list[float]:
    return list(map(_relu, _margins(ss, ls)))


MARGIN: Guesses = {
    "this is the sum; divide it by the number of examples": lambda ss, ls: sum(_hinges(ss, ls)),
    "this applies relu to the mean; apply it to each example's loss": lambda ss, ls: _relu(
        sum(_margins(ss, ls)) / len(ss)
    ),
    "this applies relu to the sum; apply it to each example's loss, and divide by their number": (
        lambda ss, ls: _relu(sum(_margins(ss, ls)))
    ),
    "this divides by the number of examples with a loss above 0; divide by the number of all": (
        lambda ss, ls: sum(_hinges(ss, ls)) / max(1, sum(loss > 0 for loss in _hinges(ss, ls)))
    ),
    "this is the mean of relu(1 + label * score); the sign is wrong": lambda ss, ls: (
        sum(_relu(1 + label * score) for score, label in zip(ss, ls)) / len(ss)
    ),
    "this is the mean of relu(1 - score); the label is missing": lambda ss, ls: (
        sum(_relu(1 - score) for score in ss) / len(ss)
    ),
    "this is the mean of label * relu(1 - score); the label belongs inside": lambda ss, ls: (
        sum(label * _relu(1 - score) for score, label in zip(ss, ls)) / len(ss)
    ),
    "this is the mean of relu(label - score); multiply the two, and subtract from 1": (
        lambda ss, ls: sum(_relu(label - score) for score, label in zip(ss, ls)) / len(ss)
    ),
    "this is the mean of relu(-label * score); the margin of 1 is missing": lambda ss, ls: (
        sum(_relu(-label * score) for score, label in zip(ss, ls)) / len(ss)
    ),
    "this is the mean of relu(label * score - 1); the signs are the wrong way round": (
        lambda ss, ls: sum(_relu(-margin) for margin in _margins(ss, ls)) / len(ss)
    ),
    "this is the mean without relu": lambda ss, ls: sum(_margins(ss, ls)) / len(ss),
    "this is the sum without relu; take the mean of relu(1 - label * score)": lambda ss, ls: sum(
        _margins(ss, ls)
    ),
    "this squares each example's loss": lambda ss, ls: (
        sum(loss * loss for loss in _hinges(ss, ls)) / len(ss)
    ),
    "this is half of the mean; return the whole mean": lambda ss, ls: (
        sum(_hinges(ss, ls)) / len(ss) / 2
    ),
    "this divides by one less than the number of examples": lambda ss, ls: (
        sum(_hinges(ss, ls)) / (len(ss) - 1)
    ),
    "only the last example counts here; take the mean of all": lambda ss, ls: _hinges(ss, ls)[-1],
    "only the first example counts here; take the mean of all": lambda ss, ls: _hinges(ss, ls)[0],
    "only the last example's loss is divided by the number of examples; add up all first": (
        lambda ss, ls: _hinges(ss, ls)[-1] / len(ss)
    ),
    "this is the largest loss of an example; take the mean": lambda ss, ls: max(_hinges(ss, ls)),
}


def _line(start: float, end: float, share: float) -> float:
    return start + (end - start) * share


SCHEDULE: Guesses = {
    "the rate never reaches `end`: divide by `steps - 1`, the number of the last step": (
        lambda step, steps, start, end: _line(start, end, step / steps)
    ),
    "this counts the steps from 1; the first step is 0": lambda step, steps, start, end: _line(
        start, end, (step + 1) / steps
    ),
    "this is one step ahead: `start` belongs to step 0": lambda step, steps, start, end: _line(
        start, end, (step + 1) / (steps - 1)
    ),
    "`start` and `end` are swapped": lambda step, steps, start, end: _line(
        end, start, step / (steps - 1)
    ),
    "this multiplies by the same factor at every step; go from `start` to `end` in a straight line,"
    " adding the same amount at every step": lambda step, steps, start, end: (
        start * (end / start) ** (step / (steps - 1))
    ),
    "this multiplies by the same factor at every step; go in a straight line, and divide by"
    " `steps - 1`": lambda step, steps, start, end: start * (end / start) ** (step / steps),
    "the rate stays at `start`": lambda step, steps, start, end: start,
    "the rate is always `end`": lambda step, steps, start, end: end,
    "`start` is missing in this sum": lambda step, steps, start, end: (
        (end - start) * step / (steps - 1)
    ),
    "this moves away from `end`; reverse the sign of the difference": (
        lambda step, steps, start, end: _line(start, 2 * start - end, step / (steps - 1))
    ),
    "this goes down to 0, not to `end`": lambda step, steps, start, end: (
        start * (1 - step / (steps - 1))
    ),
    "this goes down to 0, not to `end`, and divides by `steps`": lambda step, steps, start, end: (
        start * (1 - step / steps)
    ),
    "this subtracts a share of `end`; subtract a share of `start - end`": (
        lambda step, steps, start, end: start - end * step / (steps - 1)
    ),
    "this adds a share of `end`; add a share of `end - start`": lambda step, steps, start, end: (
        start + end * step / (steps - 1)
    ),
    "`//` drops the fraction; divide with `/`": lambda step, steps, start, end: _line(
        start, end, step // (steps - 1)
    ),
    "this divides `start` by the number of the step; go to `end` in a straight line": (
        lambda step, steps, start, end: start / (1 + step)
    ),
    "the difference is not multiplied by the step": lambda step, steps, start, end: _line(
        start, end, 1 / (steps - 1)
    ),
    "this subtracts the whole difference at every step; divide it by `steps - 1`": (
        lambda step, steps, start, end: _line(start, end, step)
    ),
    "this is rounded to 2 digits; return it as it is": lambda step, steps, start, end: round(
        _line(start, end, step / (steps - 1)), 2
    ),
    "this follows a cosine; go in a straight line": lambda step, steps, start, end: _line(
        start, end, (1 - math.cos(math.pi * step / (steps - 1))) / 2
    ),
    "this follows a square; go in a straight line": lambda step, steps, start, end: _line(
        start, end, (step / (steps - 1)) ** 2
    ),
}


def _loss(params: Numbers, xs: Sequence[Numbers], ys: Numbers) -> float:
    return sum((params[0] * x + params[1] - y) ** 2 for (x,), y in zip(xs, ys))


def _slopes(params: Numbers, xs: Sequence[Numbers], ys: Numbers) -> list[float]:
    errors = [2 * (params[0] * x + params[1] - y) for (x,), y in zip(xs, ys)]
    return [sum(error * x for error, (x,) in zip(errors, xs)), sum(errors)]


START = (0.5, 0.25)


def _after(xs: Sequence[Numbers], ys: Numbers, rate: float) -> list[float]:
    return [p - rate * slope for p, slope in zip(START, _slopes(START, xs, ys))]


LOSSES: Guesses = {
    "this is the loss after the update": lambda xs, ys, rate: _loss(_after(xs, ys, rate), xs, ys),
    "this is the loss of the last example alone": lambda xs, ys, rate: _loss(
        START, xs[-1:], ys[-1:]
    ),
    "this is the loss of the first example alone": lambda xs, ys, rate: _loss(
        START, xs[:1], ys[:1]
    ),
    "this is that loss divided by the number of examples": (
        lambda xs, ys, rate: _loss(START, xs, ys) / len(xs)
    ),
    "this is that loss times the rate": lambda xs, ys, rate: rate * _loss(START, xs, ys),
}


def _moves() -> Guesses:
    """Return where a parameter may be after a step: 0 is the weight, 1 the bias."""
    moves: dict[str, Callable[[float, float, float, int], float]] = {
        "the step goes uphill: subtract it": lambda p, slope, rate, n: p + rate * slope,
        "the step replaces the parameter; subtract it from the parameter": (
            lambda p, slope, rate, n: -rate * slope
        ),
        "the step replaces the parameter, and its sign is missing": (
            lambda p, slope, rate, n: rate * slope
        ),
        "this is the step without the rate": lambda p, slope, rate, n: p - slope,
        "this divides the step by the number of examples; leave that to the loss": (
            lambda p, slope, rate, n: p - rate * slope / n
        ),
        "exactly twice as far": lambda p, slope, rate, n: p - 2 * rate * slope,
        "this moves by the rate alone, up or down; multiply the rate by the gradient": (
            lambda p, slope, rate, n: p - math.copysign(rate, slope)
        ),
        "this moves by the rate alone; multiply it by the gradient": lambda p, slope, rate, n: (
            p - rate
        ),
        "this multiplies the step by the parameter": lambda p, slope, rate, n: p - rate * slope * p,
        "this multiplies by the rate twice": lambda p, slope, rate, n: p - rate * rate * slope,
        "this divides the gradient by the rate; multiply them": lambda p, slope, rate, n: (
            p - slope / rate
        ),
        "this makes the parameter smaller and then takes the step": lambda p, slope, rate, n: (
            p * (1 - rate) - rate * slope
        ),
    }
    found: dict[str, Callable[..., float]] = {
        sentence: lambda xs, ys, rate, which, move=move: move(
            START[which], _slopes(START, xs, ys)[which], rate, len(xs)
        )
        for sentence, move in moves.items()
    }
    for fixed in (0.001, 0.01, 0.05, 0.2, 0.5):
        found[f"the rate is always {fixed:g} here; use `rate`"] = (
            lambda xs, ys, rate, which, fixed=fixed: _after(xs, ys, fixed)[which]
        )
    found["this is the step for the last example only"] = lambda xs, ys, rate, which: _after(
        xs[-1:], ys[-1:], rate
    )[which]
    found["this is the step for the first example only"] = lambda xs, ys, rate, which: _after(
        xs[:1], ys[:1], rate
    )[which]
    return found


MOVES = _moves()

# steps and the only target, which is far away: a loop that ends at a small loss goes on
COUNTED = ((1, 1000.0), (2, 1000.0), (5, 1000.0))
COUNTS: Guesses = {
    "there is always one too many": lambda steps, target: steps + 1,
    "there is always one too few": lambda steps, target: steps - 1,
    "there is only one, however many steps there are": lambda steps, target: 1,
    "the list is always empty": lambda steps, target: 0,
    "with other examples there are as many as steps, so `train` stops early here; it must take all"
    " the steps": lambda steps, target: steps,
}

FAR = ([[1.5]], [1.25])  # what to train on


def _losses(rate: Callable[[int], float], count: int) -> list[float]:
    """Return the loss before each step, with the rate of each."""
    params, found = list(START), []
    for step in range(count):
        found.append(_loss(params, *FAR))
        slopes = _slopes(params, *FAR)
        params = [p - rate(step) * slope for p, slope in zip(params, slopes)]
    return found


REPORTED = 4  # steps
REPORTS: Guesses = {
    "these are the losses after each step; `train_step` returns the one before it": (
        lambda step, rate: _losses(rate, REPORTED + 1)[step + 1]
    ),
    "the loss is the same in every step, so the weights do not move": lambda step, rate: _losses(
        rate, 1
    )[0],
    "each entry is the sum of all losses so far": lambda step, rate: sum(_losses(rate, step + 1)),
    "each entry is the mean of all losses so far": lambda step, rate: (
        sum(_losses(rate, step + 1)) / (step + 1)
    ),
    "the losses are in reverse order": lambda step, rate: _losses(rate, REPORTED)[-1 - step],
    **{
        f"the rate is always {fixed:g} here; use `rate`": lambda step, rate, fixed=fixed: _losses(
            lambda _: fixed, REPORTED
        )[step]
        for fixed in (0.001, 0.01, 0.5)
    },
}
SCHEDULED: Guesses = {
    **REPORTS,
    "every step has the rate of step 0; call `rate(step)` in every step": lambda step, rate: (
        _losses(lambda _: rate(0), REPORTED)[step]
    ),
    "each step has the rate of the next one; the first step is 0": lambda step, rate: _losses(
        lambda number: rate(number + 1), REPORTED
    )[step],
    "every step has the default rate; call `rate(step)` in every step": lambda step, rate: _losses(
        lambda _: 0.05, REPORTED
    )[step],
    "every step has the rate of the last one; call `rate(step)` in every step": (
        lambda step, rate: _losses(lambda _: rate(REPORTED - 1), REPORTED)[step]
    ),
}
