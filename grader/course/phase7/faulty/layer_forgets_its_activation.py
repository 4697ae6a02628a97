"""A layer makes its neurons without the activation that it is given.

They all fall back to "tanh". Hand it on: `Neuron(nin, activation)`.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(nin) for _ in range(nout)]
