"""What the parameters of a learner's neuron, layer or network must be."""

from __future__ import annotations

from collections.abc import Sequence

from networks import Network, Shape, make
from sensitivity import is_usual
from vocabulary import Learner

from grader.suite import Mismatch, Reading, Symbol, UnexpectedType, number_text

DRAWS, BINS, UNEVEN = 800, 20, 87.3  # chi-squared with 19 degrees of freedom
NEARLY = 0.8  # of 800 numbers up to 1, some are above it


def expect_weights(learner: Learner, network: Network, owner: str, shape: Shape) -> None:
    """Raise Mismatch unless every neuron has one weight for each of its inputs."""
    if learner.is_adapted:
        return
    for layer, neuron, count in shape.neurons():
        path = f"{owner.format(layer=layer)}neurons[{neuron}].w"
        expect_count(learner, network, path, count, ", one for each of its inputs")


def expect_count(
    learner: Learner, network: Network, attribute: str, count: int, why: str = ""
) -> None:
    """Raise Mismatch unless a list has this many items, all different objects."""
    reading = network.reading(attribute, "refs")
    (answer,) = learner.read([reading])
    what = f"`{learner.describe(reading)}`"
    if isinstance(answer, UnexpectedType):
        raise learner.wrong_type(reading, f"{what} must be a list", "a list")
    found = len(answer)  # type: ignore[arg-type]
    if found != count:
        raise Mismatch(
            f"{what} must have {count} item{'s' * (count > 1)}{why}",
            expected=count,
            got=found,
            reading=reading,
        )
    if len(set(answer)) != count:  # type: ignore[arg-type]
        raise Mismatch(
            f"{what} must hold {count} different objects",
            expected=count,
            got=len(set(answer)),  # type: ignore[arg-type]
            reading=reading,
            printed="len(set(map(id, {})))",
        )


def drawn(learner: Learner, readings: Sequence[Reading]) -> list[float]:
    """Return the initial numbers of parameters, each from -1 to 1."""
    numbers = learner.read(readings)
    for number, reading in zip(numbers, readings):
        path = f"`{learner.describe(reading)}`"
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


def look_at_draws(learner: Learner) -> str:
    """Return between which numbers the weights lie, or the biases if the weights are right."""
    for path, what in (("w[0]", "weights"), ("b", "biases")):
        learner.fresh()
        neurons = [make(learner, "Neuron", 1, name="n") for _ in range(DRAWS)]
        numbers = learner.read([neuron.reading(f"{path}.data") for neuron in neurons])
        if all(map(is_usual, numbers)):
            low, high = min(numbers), max(numbers)  # type: ignore[type-var]
            as_asked = -1 <= low < -NEARLY and NEARLY < high <= 1  # type: ignore[operator]
            if low < high and not as_asked:  # type: ignore[operator]
                ends = [number_text(round(end, 1)) for end in (low, high)]  # type: ignore[arg-type]
                return f"{DRAWS} {what} lie from {ends[0]} to {ends[1]}"
    return ""


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
    counts, share = [0] * BINS, len(numbers) / BINS
    for number in numbers:
        counts[min(int((number + 1) / 2 * BINS), BINS - 1)] += 1
    if sum((count - share) ** 2 / share for count in counts) > UNEVEN:
        worst = max(range(BINS), key=lambda at: abs(counts[at] - share))
        low, high = (2 * at / BINS - 1 for at in (worst, worst + 1))
        raise Mismatch(
            f"draw the {what} evenly from -1 to 1, with `random.uniform(-1, 1)`",
            expected=f"about {share:g} of {len(numbers)} from {low:g} to {high:g}",
            got=str(counts[worst]),
            reading=reading,
        )


def expect_drawn_apart(learner: Learner, networks: Sequence[Network], paths: list[str]) -> None:
    """Raise Mismatch if two parameters start equal, because such neurons would learn the same."""
    if learner.is_adapted:
        return
    readings = [network.reading(f"{path}.data") for network in networks for path in paths]
    numbers = drawn(learner, readings)
    for reading, number in zip(readings, numbers):
        if numbers.count(number) > 1:
            same = [other for other, found in zip(readings, numbers) if found == number][:2]
            first, second = (learner.describe(other).removesuffix(".data") for other in same)
            raise Mismatch(
                f"`{first}` and `{second}` start with the same number: draw a new one for every"
                " weight and bias",
                expected="different numbers",
                got=f"{number:.4g} twice",
                reading=reading,
            )


def expect_parameters(learner: Learner, network: Network, paths: list[str]) -> None:
    """Raise Mismatch unless `parameters()` lists the objects at these paths, in a second call
    too.
    """
    expect_listed(learner, network, paths)
    if not learner.is_adapted:
        network.put(f"{paths[0]}.data", 0.0)  # training may bring a weight there
    expect_listed(learner, network, paths)
    learner.fresh()


def expect_listed(learner: Learner, network: Network, paths: list[str]) -> None:
    """Raise Mismatch unless one call of `parameters()` lists these objects, each once, and those of
    a layer or of a neuron in a layer together and in order.
    """
    listed = learner.symbol(network.call("parameters"))
    reading = listed.reading("", "refs")
    *owned, answer = learner.read([*(network.reading(path, "ref") for path in paths), reading])
    if isinstance(answer, UnexpectedType):
        raise learner.wrong_type(reading, "`parameters()` must return a list", "a list")
    assert isinstance(answer, list)
    # a generator has no length: it could be used only once
    learner.expect(learner.builtin("len", listed).reading(""), len(answer))
    if len(set(owned)) != len(owned):
        shared = next(path for path, ref in zip(paths, owned) if owned.count(ref) > 1)
        raise Mismatch(
            f"`{shared}` is used twice: every neuron needs its own weights and bias",
            reading=reading,
        )
    missing = [path for ref, path in zip(owned, paths) if ref not in answer]
    if missing:
        foreign = [index for index, ref in enumerate(answer) if ref not in owned]
        raise _left_out(learner, listed, missing, foreign, len(answer), len(owned))
    if len(answer) != len(owned):
        raise Mismatch(
            "`parameters()` must list every parameter once and nothing else",
            expected=len(owned),
            got=len(answer),
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


def _left_out(  # noqa: PLR0913, PLR0917 - what was listed, and what should have been
    learner: Learner,
    listed: Symbol,
    missing: list[str],
    foreign: list[int],
    count: int,
    wanted: int,
) -> Mismatch:
    """Return the failure of a list that lacks parameters, with something else at some places."""
    kinds = learner.read(
        [listed.reading(f"[{index}].__class__.__name__", "text") for index in foreign]
    )
    names = ", ".join(f"`{path}`" for path in missing[:3])
    names += " and more" if len(missing) > 3 else ""
    others = f"{wanted - len(missing)} of them, and other objects"
    return Mismatch(
        "`parameters()` must be one flat list, and there is a list in it"
        if "list" in kinds
        else f"`parameters()` leaves out {names}",
        expected=wanted if count != wanted else f"these {wanted} parameters",
        got=count if count != wanted else others,
        reading=listed.reading("", "refs"),
    )


def _owner(path: str) -> str:
    """Return the layer or the neuron of a parameter; an empty text for a neuron's own."""
    return path.partition("]")[0] if path.startswith(("layers", "neurons")) else ""
