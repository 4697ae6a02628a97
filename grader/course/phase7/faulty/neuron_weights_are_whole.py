"""The weights are only -1, 0 or 1, as `random.randint(-1, 1)` draws them.

Weights may be any number in between, and an input with a weight of 0 has no effect.
`random.uniform(-1, 1)` draws decimals.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.randint(-1, 1)) for _ in range(nin)]
        self.b = Value(random.randint(-1, 1))
        self.activation = activation
