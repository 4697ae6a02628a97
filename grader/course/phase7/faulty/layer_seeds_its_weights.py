"""Every layer seeds `random`, so all layers start with the same weights.

A seed makes a program repeat itself. Set it once, outside the classes: `random.seed(42)` before you
make a network.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        random.seed(42)
        self.neurons = [Neuron(nin, activation) for _ in range(nout)]
