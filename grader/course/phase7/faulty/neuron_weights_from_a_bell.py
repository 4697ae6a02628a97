"""Weights and biases are drawn from a bell curve, and clipped to the range from -1 to 1.

Numbers near 0 come too often, and -1 and 1 more than once. `random.uniform(-1, 1)` draws all of them
equally often.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(max(-1, min(1, random.gauss(0, 0.6)))) for _ in range(nin)]
        self.b = Value(max(-1, min(1, random.gauss(0, 0.6))))
        self.activation = activation
