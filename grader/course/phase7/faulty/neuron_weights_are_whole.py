"""`random.randint(-1, 1)` draws only -1, 0 and 1.

Weights may be any number in between, and one that begins with 0 has no say. `random.uniform(-1, 1)` draws decimals.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.randint(-1, 1)) for _ in range(nin)]
        self.b = Value(random.randint(-1, 1))
        self.activation = activation
