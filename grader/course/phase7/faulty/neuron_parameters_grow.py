"""`parameters()` appends the bias to the list of weights itself.

`self.w` grows by one with every call. `self.w + [self.b]` makes a new list and leaves `self.w`
alone.
"""

CAUGHT_BY = ("phase7.neuron-parameters", "phase7.layer-parameters", "phase7.mlp-parameters")


class Neuron:
    def parameters(self):
        self.w.append(self.b)
        return self.w
