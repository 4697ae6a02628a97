"""`parameters()` returns the list in which the neuron keeps its weights.

Whoever adds to that list, or empties it, changes the neuron. Return a new list: `[*self.w, self.b]`.
"""

CAUGHT_BY = ("phase7.neuron-parameters",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.everything = [Value(random.uniform(-1, 1)) for _ in range(nin + 1)]
        self.w, self.b = self.everything[:-1], self.everything[-1]
        self.activation = activation

    def parameters(self):
        return self.everything
