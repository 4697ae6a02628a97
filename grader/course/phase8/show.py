"""The training of `grade show`: the learner's network learns the two moons, with their loop, loss,
batches and schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

from moons import MOONS

from grader.suite import Learner, Reading, Symbol

SCORES = """
def scores(model, places):
    return [model(list(place)).data for place in places]
"""


class Show:
    """16 neurons in one layer, batches of ten points: an epoch is twelve steps."""

    points = MOONS
    window = (-1.6, 2.6, -1.3, 1.7)
    steps = 300
    together = 12

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        # the same weights and batches in every run
        learner.expression(f"__import__('random').seed({learner.seed})")
        self._model = learner.make(Symbol, "nn.MLP", 2, [16, 1], "relu", "linear", name="model")
        self._xs = learner.expression(repr([list(place) for place, _ in MOONS]), "xs")
        self._ys = learner.expression(repr([label for _, label in MOONS]), "ys")
        self._loss = learner.expression("max_margin_loss")
        self._scores = learner.define("scores", SCORES)

    def train(self, first: int, count: int, steps: int) -> Reading:
        """`train(...)`, with these steps' part of the whole schedule."""
        rate = self._learner.expression(
            f"lambda step: learning_rate({first} + step, {steps}, 1.0, 0.1)"
        )
        return self._learner.make(
            Symbol, "train", self._model.ref, self._xs, self._ys, count, rate, self._loss, 10
        ).reading("", "value")

    def scores(self, places: Sequence[tuple[float, float]]) -> Reading:
        """`model(x).data` for every place."""
        return self._learner.symbol(
            self._scores.call("__call__", self._model.ref, [list(place) for place in places])
        ).reading("", "value")
