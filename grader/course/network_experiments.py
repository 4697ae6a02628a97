"""Explain a wrong number from a network: ask the learner's code again, with other weights."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from guesses import guessing
from network_guesses import COUNTS, SINGLE_OUTPUTS, Weights, network_guesses
from networks import Shape, make, weights
from vocabulary import Learner

from grader.suite import Reading


def guessing_count(
    learner: Learner, function: str, attribute: str, sizes: Sequence[Sequence[object]]
) -> AbstractContextManager[None]:
    """Explain a wrong number of items in an attribute of what a function makes."""

    def count(*args: object) -> Reading:
        given = [list(arg) if isinstance(arg, tuple) else arg for arg in args]
        made = make(learner, function, *given, name="made")
        return learner.builtin("len", learner.get(made, attribute)).reading("")

    return guessing(learner, COUNTS[attribute], sizes, count)


def guessing_outputs(learner: Learner) -> AbstractContextManager[None]:
    """Explain a list of outputs from a network whose last layer has one neuron."""

    def count(inputs: int, layers: Sequence[int]) -> Reading:
        model = make(learner, "MLP", inputs, list(layers), name="model")
        return learner.builtin("len", model([0.5] * inputs)).reading("")

    return guessing(learner, COUNTS["last"], SINGLE_OUTPUTS, count)


def guessing_network(learner: Learner, shape: Shape) -> AbstractContextManager[None]:
    """Explain a wrong output of a network of this shape."""

    def output(layers: Weights, x: Sequence[float]) -> Reading:
        model = make(
            learner,
            "MLP",
            shape.inputs,
            list(shape.layers),
            *shape.kinds[:1],
            *shape.kinds[-1:],
            name="model",
        )
        numbers = [number for layer in layers for w, b in layer for number in (*w, b)]
        model.set(shape.paths, numbers)
        return model(x).reading("data")

    tries = []
    for seed, sign in enumerate((1.0, -1.0, 1.0)):
        drawn = iter(weights(shape, 20 + seed))
        neurons = [
            (layer, ([next(drawn) for _ in range(count)], next(drawn)))
            for layer, _, count in shape.neurons()
        ]
        layers = [
            [found for at, found in neurons if at == layer] for layer in range(len(shape.layers))
        ]
        tries.append((layers, [sign * (0.5 + 0.75 * index) for index in range(shape.inputs)]))
    guesses = network_guesses(shape.kinds[0], shape.kinds[-1], len(shape.layers))
    return guessing(learner, guesses, tries, output)
