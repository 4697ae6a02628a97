"""A layer copies one neuron, with its numbers.

Neurons that begin alike get the same gradients and stay alike for ever: the layer learns as much as one neuron does. Make each one anew.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        import copy

        first = Neuron(nin, activation)
        self.neurons = [copy.deepcopy(first) for _ in range(nout)]
