"""The weights are all close to 0.

They must fill the whole range from -1 to 1. `random.gauss(0, 0.2)` hardly ever goes beyond 0.5; `random.uniform(-1, 1)` draws every number
in the range equally often.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.gauss(0, 0.2)) for _ in range(nin)]
        self.b = Value(random.gauss(0, 0.2))
        self.activation = activation
