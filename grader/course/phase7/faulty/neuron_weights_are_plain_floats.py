"""The weights are plain floats, not Values.

A float has no gradient, so nothing could be learnt. Wrap each one: `Value(random.uniform(-1, 1))`.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [random.uniform(-1, 1) for _ in range(nin)]
        self.b = random.uniform(-1, 1)
        self.activation = activation
