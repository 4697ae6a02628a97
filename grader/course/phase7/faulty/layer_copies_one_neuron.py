"""The neurons of a layer are copies of one, with the same numbers.

Copies all give the same output, so the layer says no more than one neuron would. Create each neuron
separately, with its own random numbers.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        import copy

        first = Neuron(nin, activation)
        self.neurons = [copy.deepcopy(first) for _ in range(nout)]
