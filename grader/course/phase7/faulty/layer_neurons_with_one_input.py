"""Every neuron of a layer has only one weight.

All neurons of a layer see all of its inputs, so each needs `nin` weights: `Neuron(nin,
activation)`.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(1, activation) for _ in range(nout)]
