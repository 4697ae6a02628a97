"""The words for phases 7 and 8: a learner's networks, and the judge's own copy of what they
compute.

The judge sets the weights or reads them back, and finds outputs and gradients from them by the
oracle. It never relies on which random numbers a learner's code draws.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vocabulary import Learner, Value

from grader.suite import Expected, Kind, Mismatch, Program, Ref, Symbol, UnexpectedType, oracle


@dataclass(frozen=True)
class Shape:
    """A network's form: inputs, neurons in each layer, the activation of each layer."""

    inputs: int
    layers: tuple[int, ...]
    kinds: tuple[str, ...]

    def neurons(self) -> Iterator[tuple[int, int, int]]:
        """Layer, neuron, and how many weights it has; in order."""
        for layer, (before, count) in enumerate(zip((self.inputs, *self.layers), self.layers)):
            for neuron in range(count):
                yield layer, neuron, before

    @property
    def paths(self) -> list[str]:
        """How each parameter is reached from the MLP, in the order of `parameters()`."""
        found = []
        for layer, neuron, weights in self.neurons():
            at = f"layers[{layer}].neurons[{neuron}]"
            found += [*(f"{at}.w[{weight}]" for weight in range(weights)), f"{at}.b"]
        return found

    def score(self, numbers: Sequence[float], x: Sequence[float]) -> float:
        """The first output of a network with these parameters, in plain floats: for thousands of
        points.
        """
        rest = iter(numbers)
        values = list(x)
        for count, kind in zip(self.layers, self.kinds):
            squeeze = _ACTIVATIONS[kind]
            values = [
                squeeze(sum([next(rest) * value for value in values]) + next(rest))
                for _ in range(count)
            ]
        return values[0]

    def count_right(
        self, numbers: Sequence[float], xs: Sequence[Sequence[float]], labels: Sequence[float]
    ) -> int:
        """On how many points the score has the sign of the label."""
        return sum((self.score(numbers, x) > 0) == (label > 0) for x, label in zip(xs, labels))


_ACTIVATIONS: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "relu": lambda number: max(number, 0.0),
    "linear": lambda number: number,
}


def weights(shape: Shape, seed: int) -> list[float]:
    """Weights for a network, on a grid, none of them near 0."""
    draw = random.Random(seed)
    return [draw.choice((-1, 1)) * draw.randrange(15, 95) / 100 for _ in shape.paths]


class Network(Symbol):
    """A learner's Neuron, Layer or MLP."""

    def set(self, paths: Sequence[str], numbers: Sequence[float]) -> None:
        """Give parameters these numbers."""
        for path, number in zip(paths, numbers):
            self.put(f"{path}.data", number)

    def __call__(self, x: Sequence[float] | Sequence[Value]) -> Symbol:
        """What it makes of the inputs."""
        given = [item.ref if isinstance(item, Symbol) else item for item in x]
        return Symbol(self.recorder, self.call("__call__", given))  # type: ignore[arg-type]

    def gradients(self, paths: Sequence[str], wanted: Sequence[float]) -> list[Expected]:
        """What the gradient of each parameter must be."""
        return [
            Expected(self.reading(f"{path}.grad"), gradient)
            for path, gradient in zip(paths, wanted)
        ]


def make(learner: Learner, function: str, *args: object, name: str) -> Network:
    """`name = function(*args)`."""
    return learner.make(Network, f"nn.{function}", *args, name=name)  # type: ignore[arg-type]


def single(learner: Learner, output: Symbol, name: str) -> Value:
    """The one Value that an output must be, and not hold."""
    learner.named(name, output)
    reading = output.reading("", "refs")
    (answer,) = learner.read([reading])
    if (
        learner.is_adapted and isinstance(answer, list) and len(answer) == 1
    ):  # which others' networks may give
        return learner.get(output, "[0]", Value)
    if not isinstance(answer, UnexpectedType):
        raise Mismatch(
            f"`{name}` must be the Value itself, not a list of one",
            kind=Kind.BAD_TYPE,
            expected="a Value",
            got=f"{len(answer)} of them",  # type: ignore[arg-type]
            reading=output.reading("", "value"),
        )
    return learner.symbol(output.ref, Value)


def outputs(learner: Learner, output: Symbol, count: int) -> list[Value]:
    """The Values of an output that must be a list of `count`, of one as well."""
    (answer,) = learner.read([output.reading("", "refs")])
    if isinstance(answer, UnexpectedType) or len(answer) != count:  # type: ignore[arg-type]
        got = "no list" if isinstance(answer, UnexpectedType) else f"{len(answer)} of them"  # type: ignore[arg-type]
        raise Mismatch(
            f"{count} neuron{'s' * (count > 1)} must give a list of {count}"
            f" output{'s' * (count > 1)}",
            kind=Kind.BAD_TYPE,
            expected=f"a list of {count}",
            got=got,
            reading=output.reading("", "value"),
        )
    return [learner.get(output, f"[{index}]", Value) for index in range(count)]


class Copy:
    """The judge's own network: leaves for all parameters, and whatever is computed from them."""

    def __init__(self, shape: Shape, numbers: Sequence[float]) -> None:
        self.shape = shape
        self.program = Program("Value")
        self.parameters = [self.program.leaf(number) for number in numbers]

    def __call__(self, x: Sequence[float | Ref]) -> list[Ref]:
        """The outputs for inputs that are plain numbers or leaves."""
        rest = iter(self.parameters)
        values: list[float | Ref] = list(x)
        for layer, count in enumerate(self.shape.layers):
            values = [self._neuron(values, rest, self.shape.kinds[layer]) for _ in range(count)]
        return values  # type: ignore[return-value]

    def _neuron(self, x: Sequence[float | Ref], rest: Iterator[Ref], kind: str) -> Ref:
        own = [next(rest) for _ in x]
        total = next(rest)
        for weight, value in zip(own, x):
            total = self.program.apply("+", total, self.program.apply("*", weight, value))
        return total if kind == "linear" else self.program.apply(kind, total)

    def value(self, ref: Ref) -> float:
        """The number of a node."""
        return self.program.values[ref]

    def gradients(self, of: Ref) -> list[float]:
        """The gradient of every parameter."""
        found = oracle.gradients(self.program.steps, of, self.parameters)
        return [found[ref] for ref in self.parameters]
