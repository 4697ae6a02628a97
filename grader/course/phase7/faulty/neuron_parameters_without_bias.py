"""`parameters()` of a neuron lists the weights but not the bias.

Anything missing from the list is neither cleared nor moved, so the bias stays as it was at the
start. Return the weights and `self.b` in one list.
"""

CAUGHT_BY = ("phase7.neuron-parameters",)


class Neuron:
    def parameters(self):
        return list(self.w)
