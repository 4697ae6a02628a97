"""The weights are drawn from 0 to 1, so none is negative.

Then every neuron starts with inputs that all pull the same way. `random.uniform(-1, 1)` draws both
signs.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.uniform(0, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(0, 1))
        self.activation = activation
