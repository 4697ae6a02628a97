"""`parameters()` collects in a list that is kept: every call adds all parameters once more.

After two calls each neuron is listed twice, and whoever updates the parameters moves each of them twice. Begin with an empty list in every call.
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
