"""A layer does not pass its activation on to its neurons.

They all fall back to "tanh". Pass it on: `Neuron(nin, activation)`.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(nin) for _ in range(nout)]
