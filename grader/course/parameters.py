"""The rules for the parameters of a learner's neuron, layer or network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from networks import Network
from vocabulary import Learner

from grader.suite import Mismatch, Reading, UnexpectedType

DRAWS, BINS, UNEVEN = 800, 20, 87.3  # chi-squared with 19 degrees of freedom


def expect_weights(learner: Learner, network: Network, paths: Sequence[str]) -> None:
    """Raise Mismatch unless every neuron has one weight for each of its inputs."""
    lists = Counter(path.rpartition("[")[0] for path in paths if path.endswith("]"))
    for path, count in () if learner.is_adapted else lists.items():
        expect_count(learner, network, path, count, ", one for each of its inputs")


def expect_count(
    learner: Learner, network: Network, attribute: str, count: int, why: str = ""
) -> None:
    """Raise Mismatch unless a list has this many items, all different objects."""
    reading = network.reading(attribute, "refs")
    (answer,) = learner.read([reading])
    what = f"`{learner.recorder.describe(reading)}`"
    if isinstance(answer, UnexpectedType):
        raise learner.wrong_type(reading, f"{what} must be a list", "a list")
    assert isinstance(answer, list)
    if len(answer) != count:
        raise Mismatch(
            f"{what} must have {count} item{'s' * (count > 1)}{why}",
            expected=count,
            got=len(answer),
            reading=reading,
        )
    if len(set(answer)) != count:
        raise Mismatch(
            f"{what} must hold {count} different objects",
            expected=count,
            got=len(set(answer)),
            reading=reading,
            printed="len(set(map(id, {})))",
        )


def drawn(learner: Learner, readings: Sequence[Reading]) -> list[float]:
    """Return the initial numbers of parameters, each from -1 to 1."""
    numbers = learner.read(readings)
    for number, reading in zip(numbers, readings):
        path = f"`{learner.recorder.describe(reading)}`"
        if not isinstance(number, (int, float)):
            raise learner.wrong_type(reading, f"{path} must be a number", "a number")
        if not -1.0 <= number <= 1.0:
            raise Mismatch(
                f"{path} must be drawn from -1 to 1",
                expected="from -1 to 1",
                got=number,
                reading=reading,
            )
    return numbers  # type: ignore[return-value]


def expect_spread(numbers: Sequence[float], what: str, whose: str, reading: Reading) -> None:
    """Raise Mismatch if the range from -1 to 1 is not covered evenly, by a chi-squared test.

    A correct neuron fails this less than once in 10,000,000,000 times.
    """
    if len(set(numbers)) == 1:
        raise Mismatch(
            f"{whose} start with the same {what}: draw a new number for each",
            expected="different numbers",
            got=numbers[0],
            reading=reading,
        )
    share = len(numbers) / BINS
    counts = Counter(min(int((number + 1) / 2 * BINS), BINS - 1) for number in numbers)
    if sum((counts[at] - share) ** 2 / share for at in range(BINS)) > UNEVEN:
        worst = max(range(BINS), key=lambda at: abs(counts[at] - share))
        low, high = (2 * at / BINS - 1 for at in (worst, worst + 1))
        raise Mismatch(
            f"draw the {what} evenly from -1 to 1, with `random.uniform(-1, 1)`",
            expected=f"about {share:g} of {len(numbers)} from {low:g} to {high:g}",
            got=str(counts[worst]),
            reading=reading,
        )


def expect_drawn_apart(learner: Learner, networks: Sequence[Network], paths: list[str]) -> None:
    """Raise Mismatch if two parameters start equal, because equal neurons would learn the same."""
    if learner.is_adapted:
        return
    readings = [network.reading(f"{path}.data") for network in networks for path in paths]
    numbers = drawn(learner, readings)
    for number, times in Counter(numbers).items():
        if times > 1:
            same = [reading for reading, found in zip(readings, numbers) if found == number]
            first, second = (
                learner.recorder.describe(one).removesuffix(".data") for one in same[:2]
            )
            raise Mismatch(
                f"`{first}` and `{second}` start with the same number: draw a new one for every"
                " weight and bias",
                expected="different numbers",
                got=f"{number:.4g} twice",
                reading=same[0],
            )


def expect_parameters(learner: Learner, network: Network, paths: list[str]) -> None:
    """Raise Mismatch unless `parameters()` lists the objects at these paths, in a second call
    too.
    """
    _expect_listed(learner, network, paths)
    if not learner.is_adapted:
        network.put(f"{paths[0]}.data", 0)  # still a parameter
    _expect_listed(learner, network, paths)
    learner.fresh()


def _expect_listed(learner: Learner, network: Network, paths: list[str]) -> None:
    """Raise Mismatch unless one call of `parameters()` lists these objects, each once, with the
    parameters of a layer or of one of its neurons together and in order.
    """
    listed = learner.symbol(network.call("parameters"))
    reading = listed.reading("", "refs")
    *owned, answer = learner.read([*(network.reading(path, "ref") for path in paths), reading])
    if isinstance(answer, UnexpectedType):
        raise learner.wrong_type(reading, "`parameters()` must return a list", "a list")
    assert isinstance(answer, list)
    if not learner.is_adapted:  # a generator has no length: it could be used only once
        learner.expect(learner.builtin("len", listed).reading(""), len(answer))
    if len(set(owned)) != len(owned):
        shared = next(path for path, ref in zip(paths, owned) if owned.count(ref) > 1)
        raise Mismatch(
            f"`{shared}` is used twice: every neuron needs its own weights and bias",
            reading=reading,
        )
    missing = [f"`{path}`" for ref, path in zip(owned, paths) if ref not in answer]
    if missing or len(answer) != len(owned):
        names = ", ".join([*missing[:3], *(["and more"] if missing[3:] else [])])
        is_long_enough = len(answer) == len(owned)
        raise Mismatch(
            f"`parameters()` leaves out {names}"
            if missing
            else "`parameters()` must list every parameter once and nothing else",
            expected=f"these {len(owned)} parameters" if is_long_enough else len(owned),
            got=f"{len(owned) - len(missing)} of them" if is_long_enough else len(answer),
            reading=reading,
        )
    owners = list(dict.fromkeys(map(_owner, paths)))
    order = [owners.index(_owner(paths[owned.index(ref)])) for ref in answer]
    if order != sorted(order) and not learner.is_adapted:
        each = "layer" if "layers" in owners[0] else "neuron"
        raise Mismatch(
            f"`parameters()` must list the parameters {each} by {each}",
            expected=f"the parameters {each} by {each}",
            got="another order",
            reading=reading,
        )


def _owner(path: str) -> str:
    """Return the layer or the neuron of a parameter; an empty string for a neuron's own."""
    return path.partition("]")[0] if path.startswith(("layers", "neurons")) else ""
