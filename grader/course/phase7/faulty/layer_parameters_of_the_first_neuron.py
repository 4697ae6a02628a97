"""`return` is inside the loop, so `parameters()` of a layer lists only its first neuron.

A function ends at its first `return`. Move it out of the loop, level with the `for`.
"""

CAUGHT_BY = ("phase7.layer-parameters",)


class Layer:
    def parameters(self):
        found = []
        for neuron in self.neurons:
            found.extend(neuron.parameters())
            return found
