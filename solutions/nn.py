"""A neural network made from Values: neurons side by side, layers in a row."""

import random

from engine import Value


class Neuron:
    """A weighted sum of the inputs plus a bias, sent through an activation."""

    def __init__(self, nin, activation="tanh"):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1))
        self.activation = activation

    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            total = total + wi * xi
        if self.activation == "tanh":
            return total.tanh()
        if self.activation == "relu":
            return total.relu()
        return total

    def parameters(self):
        return [*self.w, self.b]


class Layer:
    """Neurons side by side: they all see the same inputs, and each has its own weights."""

    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = [Neuron(nin, activation) for _ in range(nout)]

    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]


class MLP:
    """A multilayer perceptron: layers in a row, each passing its outputs on to the next."""

    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        kinds = [activation] * (len(nouts) - 1) + [output]
        self.layers = [Layer(*shape) for shape in zip(sizes, nouts, kinds)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0
