"""A layer swaps its number of inputs and its number of neurons.

`Layer(2, 3)` has three neurons with two weights each. So `nin` goes to the neuron and `nout` into
the `range`.
"""

CAUGHT_BY = ("phase7.layer-output",)


class Layer:
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(nout, activation) for _ in range(nin)]
