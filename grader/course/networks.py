"""The vocabulary of phases 7 and 8: a learner's networks, and the judge's copy of them.

The judge sets the weights or reads them back, and the oracle computes outputs and gradients from
them. No check depends on the random numbers that a learner's code draws.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vocabulary import Learner, Value

from grader.suite import Expected, Program, Ref, Symbol, UnexpectedType, oracle


@dataclass(frozen=True)
class Shape:
    """A network's inputs, the neurons in each layer, and each layer's activation."""

    inputs: int
    layers: tuple[int, ...]
    kinds: tuple[str, ...]

    @property
    def paths(self) -> list[str]:
        """The path from the MLP to each parameter, in the order of `parameters()`."""
        return [
            f"layers[{layer}].neurons[{neuron}].{parameter}"
            for layer, (before, count) in enumerate(zip((self.inputs, *self.layers), self.layers))
            for neuron in range(count)
            for parameter in (*(f"w[{weight}]" for weight in range(before)), "b")
        ]


class Trained(NamedTuple):
    """A network with its parameters, computed in plain floats for speed."""

    shape: Shape
    numbers: Sequence[float]

    def score(self, x: Sequence[float]) -> float:
        """Return the first output."""
        rest = iter(self.numbers)
        values = list(x)
        for count, kind in zip(self.shape.layers, self.shape.kinds):
            squeeze = _ACTIVATIONS[kind]
            values = [
                squeeze(sum([next(rest) * value for value in values]) + next(rest))
                for _ in range(count)
            ]
        return values[0]

    def count_right(self, xs: Sequence[Sequence[float]], labels: Sequence[float]) -> int:
        """Return the number of points whose score has the sign of the label."""
        return sum((self.score(x) > 0) == (label > 0) for x, label in zip(xs, labels))


_ACTIVATIONS: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "relu": lambda number: max(number, 0.0),
    "linear": lambda number: number,
}


def weights(shape: Shape, seed: int) -> list[float]:
    """Return weights for a network, with two decimals and not near 0."""
    draw = random.Random(seed)
    return [draw.choice((-1, 1)) * draw.randrange(15, 95) / 100 for _ in shape.paths]


FEW = 9  # parameters set line by line in a listing; beyond that, a loop

_SET_WEIGHTS = """
def set_weights(model):
    import random
    draw = random.Random({seed})
    for layer in model.layers:
        for n in layer.neurons:
            for p in [*n.w, n.b]:
                sign = draw.choice((-1, 1))
                p.data = sign * draw.randrange(15, 95) / 100
"""


def set_weights(learner: Learner, model: Network, shape: Shape, seed: int) -> Copy:
    """Record that an MLP gets the weights that belong to a seed; return the judge's copy of it."""
    numbers = weights(shape, seed)
    if learner.is_adapted or len(numbers) <= FEW:
        model.set(shape.paths, numbers)
    else:
        loop = learner.define("set_weights", _SET_WEIGHTS.format(seed=seed))
        loop.call("__call__", model)
    return Copy(shape, numbers)


class Network(Symbol):
    """A learner's Neuron, Layer or MLP."""

    def set(self, paths: Sequence[str], numbers: Sequence[float]) -> None:
        """Record that the parameters at these paths get these numbers."""
        for path, number in zip(paths, numbers):
            self.put(f"{path}.data", number)

    def __call__(self, x: Sequence[float | Value]) -> Symbol:
        """Record a call of the network with these inputs."""
        given = [item.ref if isinstance(item, Symbol) else item for item in x]
        return Symbol(self.recorder, self.call("__call__", given))  # type: ignore[arg-type]

    def gradients(self, paths: Sequence[str], wanted: Sequence[float]) -> list[Expected]:
        """Return the expected gradient of each parameter."""
        return [
            Expected(self.reading(f"{path}.grad"), gradient)
            for path, gradient in zip(paths, wanted)
        ]


def make(learner: Learner, function: str, *args: object, name: str) -> Network:
    """Record `name = function(*args)`."""
    return learner.make(Network, f"nn.{function}", *args, name=name)  # type: ignore[arg-type]


def make_mlp(learner: Learner, shape: Shape) -> Network:
    """Record `model = MLP(...)` with this shape."""
    kinds = {"activation": shape.kinds[0], "output": shape.kinds[-1]}
    sizes = shape.inputs, list(shape.layers)
    if learner.is_adapted:
        return make(learner, "MLP", *sizes, *kinds.values(), name="model")
    named = {name: kind for name, kind in kinds.items() if kind != "tanh"}  # the default
    return learner.make(Network, "nn.MLP", *sizes, name="model", **named)


def single(learner: Learner, output: Symbol, name: str) -> Value:
    """Return the Value that an output must be; raise Mismatch if it is a list."""
    learner.named(name, output)
    reading = output.reading("", "value")  # a list, and nothing else that can be iterated over
    (answer,) = learner.read([reading])
    if not isinstance(answer, list):
        return learner.symbol(output.ref, Value)
    if learner.is_adapted and len(answer) == 1:  # allowed for other people's networks
        return learner.get(output, "[0]", Value)
    raise learner.wrong_type(reading, f"`{name}` must be one Value, not a list", "a Value")


def outputs(learner: Learner, output: Symbol, count: int) -> list[Value]:
    """Return the Values in an output, which must be a list of `count`, even of one."""
    reading = output.reading("", "refs")
    (answer,) = learner.read([reading])
    what = "a list with one Value" if count == 1 else f"a list with {count} Values"
    why = f"{count} neuron{'s' * (count > 1)} must give {what}"
    if isinstance(answer, UnexpectedType) or len(answer) != count:  # type: ignore[arg-type]
        raise learner.wrong_type(reading, why, what)
    return [learner.get(output, f"[{index}]", Value) for index in range(count)]


class Copy:
    """The judge's own network: a leaf for each parameter, and everything computed from them."""

    def __init__(self, shape: Shape, numbers: Sequence[float]) -> None:
        self.shape, self.start = shape, list(numbers)
        self.set(numbers)

    def set(self, numbers: Sequence[float]) -> None:
        """Begin a new program with these parameters."""
        self.program = Program("Value")
        self.parameters = [self.program.leaf(number) for number in numbers]

    def __call__(self, x: Sequence[float | Ref]) -> list[Ref]:
        """Return the outputs for inputs that are plain numbers or leaves."""
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
        """Return the number of a node."""
        return self.program.values[ref]

    def gradients(self, of: Ref) -> list[float]:
        """Return the gradient of every parameter."""
        found = oracle.gradients(self.program.steps, of, self.parameters)
        return [found[ref] for ref in self.parameters]
