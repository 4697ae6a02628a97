"""`[Neuron(nin, activation)] * nout` is one neuron, `nout` times.

The multiplication repeats the reference, not the neuron, so every place in the list holds the same
one. Make a new one for each place: `[Neuron(nin, activation) for _ in range(nout)]`.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(nin, activation)] * nout
