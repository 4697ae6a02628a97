"""Every bias starts at 0.0.

Many libraries do that, but here the bias is drawn like the weights: `Value(random.uniform(-1, 1))`.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0.0)
        self.activation = activation
