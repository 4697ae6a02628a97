"""Say what is wrong about a result without a list of mistakes: change one input at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import NamedTuple

from grader.suite import Learner, Mismatch, Reading, number_text

Numbers = Sequence[float]
CHANGE = 0.125  # of an input, up and down
EXACT = 1e-9
LARGE = 1e9  # no right result is near it, and NaN is not below it
SMALL = 1e-4  # an effect that may be due to a term such as `eps`
LARGEST = 12  # in a ratio that a sentence names
MOST = 3  # inputs that a sentence names
OTHERS = "; the others have the right effect"
TIMES = {Fraction(2): "twice", Fraction(1, 2): "half"}


class Experiment(NamedTuple):
    """A result of the learner's code that is computed from numbers, and how to try it."""

    names: Sequence[str]
    """The first inputs, which change one at a time; any further ones do not."""
    bases: Sequence[Numbers]
    """Inputs to start from."""
    ask: Callable[[Numbers], Reading]
    right: Callable[[Numbers], float]
    groups: Mapping[str, Sequence[int]] = {}
    """Names for several inputs together, larger groups first."""
    result: str = "the result"
    changes: Numbers = ()


@contextmanager
def observing(learner: Learner, look: Callable[[], str]) -> Iterator[None]:
    """Add a sentence from an experiment to a failure in the block that nothing else explains."""
    try:
        yield
    except Mismatch as wrong:
        if wrong.explained or learner.is_adapted:
            raise
        found = ""
        with learner.experiment():
            found = look()
        if found:
            wrong.message += f"{':' if wrong.message.endswith(' is wrong') else ';'} {found}"
            wrong.explained = True
        raise


def results(learner: Learner, tried: Experiment, points: Sequence[Numbers]) -> list[float]:
    """Return what the learner's code gives at these points, or nothing if it is not all numbers."""
    learner.fresh()
    answers = learner.read([tried.ask(point) for point in points])
    return [float(answer) for answer in answers] if all(map(is_usual, answers)) else []  # type: ignore[arg-type]


def is_usual(answer: object) -> bool:
    """Return whether an answer is a number that can be computed with."""
    return type(answer) in {int, float} and abs(answer) < LARGE  # type: ignore[arg-type]


def is_right(learner: Learner, tried: Experiment) -> bool:
    """Return whether the results are right for all bases."""
    found = results(learner, tried, tried.bases)
    return bool(found) and all(map(_same, found, map(tried.right, tried.bases)))


def influence(learner: Learner, tried: Experiment, *, vague: bool = True) -> str:
    """Return how changing an input affects the result in a way that it should not.

    A sentence that only names the inputs with a wrong effect is `vague`.
    """
    count = len(tried.names)
    points = [point for base in tried.bases for point in (base, *_around(base, tried))]
    got = results(learner, tried, points)
    if not got:
        return ""
    want = [tried.right(point) for point in points]
    each = range(0, len(points), 2 * count + 1)
    mine, right = (
        [[made[at + 1 + 2 * i] - made[at + 2 + 2 * i] for at in each] for i in range(count)]
        for made in (got, want)
    )
    wrong = [i for i in range(count) if not _all_same(mine[i], right[i])]
    if not wrong:
        return _offset([got[at] - want[at] for at in each], tried.result)
    rest = [i for i in range(count) if i not in wrong and not _all_same(right[i], [0.0])]
    if found := next(_effects(tried, mine, right, wrong, OTHERS if rest else ""), ""):
        return found
    return f"changing {_named(tried, wrong)} has a wrong effect{OTHERS}" if rest and vague else ""


def _around(base: Numbers, tried: Experiment) -> Iterator[Numbers]:
    for index in range(len(tried.names)):
        change = tried.changes[index] if tried.changes else CHANGE
        for sign in (1, -1):
            yield [*base[:index], base[index] + sign * change, *base[index + 1 :]]


def _offset(differences: Numbers, result: str) -> str:
    first = differences[0]
    if len(differences) < 2 or _same(first, 0) or not _all_same(differences, [first]):
        return ""
    side = "large" if first > 0 else "small"
    return f"{result} is always {number_text(abs(first))} too {side}, whatever the inputs are"


def _effects(
    tried: Experiment,
    mine: list[list[float]],
    right: list[list[float]],
    wrong: list[int],
    others: str,
) -> Iterator[str]:
    """Yield what is wrong about the effects of the inputs, the most telling first."""
    result, none = tried.result, [0.0]
    if idle := [i for i in wrong if _all_same(mine[i], none) and _is_large(right[i])]:
        yield f"changing {_named(tried, idle)} does not change {result}"
    if strange := [i for i in wrong if _all_same(right[i], none) and _is_large(mine[i])]:
        yield f"changing {_named(tried, strange)} changes {result}, but it must not"
    ratios = {ratio_of(mine[i], right[i]) for i in wrong}
    if len(ratios) == 1 and (ratio := ratios.pop()):
        size = "the right effect, but the wrong sign" if ratio == -1 else times_of(ratio)
        effect = size if ratio == -1 else f"{size} the effect it should have"
        yield f"changing {_named(tried, wrong)} has {effect}{others}"
    alike = [[j for j in wrong if _all_same(mine[i], right[j])] for i in wrong]
    if sorted(j for found in alike for j in found) == wrong and all(map(len, alike)):
        i, (j,) = wrong[0], alike[0]
        yield f"changing {tried.names[i]} has the effect that changing {tried.names[j]} should have"


def ratio_of(mine: Numbers, right: Numbers) -> Fraction | None:
    """Return how many times too large an effect is, if that is the same simple number for all."""
    found = {round(one / other, 9) for one, other in zip(mine, right) if not _same(other, 0)}
    if len(found) != 1 or any(_same(b, 0) and not _same(a, 0) for a, b in zip(mine, right)):
        return None
    ratio = Fraction(found.pop()).limit_denominator(LARGEST)
    fits = all(_same(one, other * ratio) for one, other in zip(mine, right))
    return ratio if fits and 1 in {abs(ratio.numerator), ratio.denominator} else None


def times_of(ratio: Fraction) -> str:
    """Return how large something is, such as `twice` or `-1/3 times`."""
    return TIMES.get(ratio, f"{ratio} {'of' if abs(ratio) < 1 else 'times'}")


def _named(tried: Experiment, which: Sequence[int]) -> str:
    """Return the names of these inputs, with a common name for a whole group of them."""
    if len(which) > 1 and len(which) == len(tried.names):
        return "any input"
    left, names = set(which), []
    for name, group in tried.groups.items():
        if left.issuperset(group):
            names.append(name)
            left -= set(group)
    names += [tried.names[i] for i in which if i in left]
    if len(names) > MOST:
        names = [*names[: MOST - 1], f"{len(names) - MOST + 1} other inputs"]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def simplest(learner: Learner, tried: Experiment) -> tuple[Numbers, float, float] | None:
    """Return the first base with a wrong result, with as many inputs as possible replaced by 0, or
    else by 1, for which it is still wrong; and that result and the right one.
    """
    compared = zip(tried.bases, results(learner, tried, tried.bases))
    wrong = ((list(base), got) for base, got in compared if not _same(got, tried.right(base)))
    point, got = next(wrong, ([], 0.0))
    if not point:
        return None
    found = (point, got, tried.right(point))
    for index in range(len(tried.names)):
        tries = [[*point[:index], simple, *point[index + 1 :]] for simple in (0.0, 1.0)]
        for each, got in zip(tries, results(learner, tried, tries)):
            if not _same(got, want := tried.right(each)):
                point, found = each, (each, got, want)
                break
    return found


def _is_large(effects: Numbers) -> bool:
    return any(abs(effect) > SMALL for effect in effects)


def _all_same(some: Iterable[float], others: Numbers) -> bool:
    """Return whether all numbers are equal in pairs, or all equal to a single one."""
    return all(
        _same(one, others[0] if len(others) == 1 else others[place])
        for place, one in enumerate(some)
    )


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= EXACT * (1 + abs(other))
