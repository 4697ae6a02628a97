"""`[Value(...)] * nin` is one weight, `nin` times.

The list has the right length, but every place holds the same Value, so all inputs share one weight.
A list comprehension makes a new Value for each: `[Value(random.uniform(-1, 1)) for _ in
range(nin)]`.
"""

CAUGHT_BY = ("phase7.neuron",)


class Neuron:
    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.uniform(-1, 1))] * nin
        self.b = Value(random.uniform(-1, 1))
        self.activation = activation
