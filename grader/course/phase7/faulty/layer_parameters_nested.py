"""`parameters()` of a layer is a list of lists.

One list for each neuron looks tidy, but whoever updates the parameters expects Values and meets lists. Use `extend` in
place of `append`, or two `for`s in one comprehension.
"""

CAUGHT_BY = ("phase7.layer-parameters",)


class Layer:
    def parameters(self):
        found = []
        for neuron in self.neurons:
            found.append(neuron.parameters())
        return found
