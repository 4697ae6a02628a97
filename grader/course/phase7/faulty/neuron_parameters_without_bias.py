"""`parameters()` of a neuron lists the weights and forgets the bias.

What is not on the list is neither cleared nor moved: the bias would stay what it was at the start. Return the weights
and `self.b`, in one list.
"""

CAUGHT_BY = ("phase7.neuron-parameters",)


class Neuron:
    def parameters(self):
        return list(self.w)
