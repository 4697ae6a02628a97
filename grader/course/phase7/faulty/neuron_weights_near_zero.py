"""The weights are all close to 0.

They should fill the whole range from -1 to 1. `random.gauss(0, 0.2)` rarely goes beyond 0.5;
`random.uniform(-1, 1)` makes every number in the range equally likely.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.gauss(0, 0.2)) for _ in range(nin)]
        self.b = Value(random.gauss(0, 0.2))
        self.activation = activation
