"""All neurons share one list of weights, because it is a default argument.

Python creates a default argument once, when it reads the `def`. Every new neuron appends to the
same list. Create the list inside `__init__`.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh", w=[]):
        self.w = w
        for _ in range(nin):
            self.w.append(Value(random.uniform(-1, 1)))
        self.b = Value(random.uniform(-1, 1))
        self.activation = activation
