"""`parameters()` of a layer adds to the same list in every call.

After two calls each neuron is listed twice, so an update moves each parameter twice. Start with an
empty list in every call.
"""

CAUGHT_BY = ("phase7.layer-parameters", "phase7.mlp-parameters")


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(nin, activation) for _ in range(nout)]
        self.found = []

    def parameters(self):
        for neuron in self.neurons:
            self.found.extend(neuron.parameters())
        return self.found
