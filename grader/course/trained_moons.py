"""The result of `train_moons`: a network, trained on two moons that the judge draws."""

from __future__ import annotations

import math
import random
from typing import Any, NamedTuple

from networks import Shape, Trained
from pictures import Point
from vocabulary import Learner

from grader.suite import Kind, LearnerFault, Mismatch, Symbol, UnexpectedType

GIVEN, NEW, NOISE = 200, 1000, 0.1
SECONDS, TRIES, GOAL = 20.0, 2, 0.95
KINDS = {"tanh", "relu", "linear"}
PARAMETERS = (
    "lambda found: [[[neuron.activation, [w.data for w in neuron.w], neuron.b.data] for neuron in"
    " layer.neurons] for layer in found[0].layers]"
)


class Try(NamedTuple):
    """One trained network, the accuracy it came with, and how many new points it gets right."""

    network: Trained
    share: float
    right: int


def train(learner: Learner, tries: list[Try]) -> None:
    """Train until a network is good enough, at most twice, because about one in a few hundred
    starts badly and gets stuck.
    """
    learner.recorder.seconds = SECONDS
    try:
        while len(tries) < TRIES and not any(one.right >= GOAL * NEW for one in tries):
            number = len(tries)
            learner.fresh()
            # the same weights in every run
            learner.expression(f"__import__('random').seed({number})")
            found = learner.make(Symbol, "train_moons", *draw_moons(GIVEN, number), name="found")
            network, share = _found(learner, found)
            right = network.count_right(*draw_moons(NEW, 1000 + number))
            tries.append(Try(network, share, right))
    finally:  # lines for a learner to try, with `moons` instead of two hundred numbers
        learner.fresh()
        points = learner.make(Symbol, "moons", GIVEN, name="points")
        halves = [learner.get(points, f"[{index}]") for index in (0, 1)]
        learner.make(Symbol, "train_moons", *halves, name="found")


def _found(learner: Learner, found: Symbol) -> tuple[Trained, float]:
    """Return the network and the accuracy that `train_moons` returned."""
    (answer,) = learner.read([found.reading("", "value")])
    network, share = answer if isinstance(answer, list) and len(answer) == 2 else (None, None)
    if not isinstance(network, UnexpectedType) or type(share) not in {int, float}:
        why = "`train_moons` must return two things: the network and its accuracy, a plain number"
        wrong = learner.wrong_type(found.reading(), why, "a network and a number")
        wrong.reading = None  # the script to show is shorter
        raise wrong
    listed = learner.symbol(learner.expression(PARAMETERS).call("__call__", found))
    try:
        (answer,) = learner.read([listed.reading("", "value")])
    except LearnerFault as fault:
        raise Mismatch(
            f"the network must be an MLP from your nn.py, with layers, neurons, w and b: {fault}",
            kind=Kind.BAD_TYPE,
            expected="an MLP",
            got=fault.fault.type_name,
        ) from None
    return _network_of(answer), float(share)  # type: ignore[arg-type]


def _network_of(answer: Any) -> Trained:
    """Return a network with the parameters that `PARAMETERS` lists."""
    try:
        shape = Shape(2, tuple(map(len, answer)), tuple(layer[0][0] for layer in answer))
        neurons = [(kind, len(w)) for layer in answer for kind, w, _ in layer]
        numbers = [float(number) for layer in answer for _, w, b in layer for number in (*w, b)]
        sizes = zip((2, *shape.layers), shape.layers, shape.kinds)
        wanted = [(kind, before) for before, count, kind in sizes for _ in range(count)]
        if neurons == wanted and shape.layers[-1] == 1 and KINDS.issuperset(shape.kinds):
            return Trained(shape, numbers)
    except (TypeError, ValueError, IndexError):
        pass
    raise Mismatch(
        "the network must be an MLP with two inputs, one output, numbers as parameters, and tanh,"
        " relu or linear as activations",
        kind=Kind.BAD_TYPE,
        expected="such an MLP",
        got="a different network",
    )


def draw_moons(count: int, seed: int) -> tuple[list[Point], list[int]]:
    """Return points of two moons, the upper one first, with the label -1."""
    draw = random.Random(f"moons {seed}")
    xs, ys = [], []
    for number in range(count):
        angle, upper = draw.uniform(0.0, math.pi), number < count / 2
        x, y = (
            (math.cos(angle), math.sin(angle))
            if upper
            else (1.0 - math.cos(angle), 0.5 - math.sin(angle))
        )
        xs.append([round(x + draw.gauss(0.0, NOISE), 3), round(y + draw.gauss(0.0, NOISE), 3)])
        ys.append(-1 if upper else 1)
    return xs, ys
