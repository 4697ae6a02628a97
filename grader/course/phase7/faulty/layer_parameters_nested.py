"""`parameters()` of a layer is a list of lists.

One list for each neuron looks tidy, but the code that updates the parameters expects Values, not
lists. Use `extend` instead of `append`, or two `for`s in one comprehension.
"""

CAUGHT_BY = ("phase7.layer-parameters",)


class Layer:
    def parameters(self):
        found = []
        for neuron in self.neurons:
            found.append(neuron.parameters())
        return found
