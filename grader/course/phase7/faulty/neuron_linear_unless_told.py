"""A neuron without an activation is linear.

`Neuron(3)` must use tanh: that is what `activation="tanh"` in the first line says.
"""

CAUGHT_BY = ("phase7.neuron-output",)


class Neuron:
    def __init__(self, nin, activation="linear"):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1))
        self.activation = activation
