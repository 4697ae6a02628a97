"""`return` is inside the loop, so a layer gives the output of its first neuron only.

A function ends at its first `return`. Move it out of the loop, level with the `for`.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __call__(self, x):
        outputs = []
        for neuron in self.neurons:
            outputs.append(neuron(x))
            return outputs
