"""micrograd's way: a Module that all inherit from, activations in a table, tuples where lists would
do, and Values that can be unpacked.
"""

import random

from engine import Value

Value.__len__ = lambda value: 1
Value.__iter__ = lambda value: iter((value.data,))


class Module:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0

    def parameters(self):
        return []


class Neuron(Module):
    ends = {"tanh": Value.tanh, "relu": Value.relu, "linear": lambda value: value}

    def __init__(self, nin, activation="tanh"):
        self.w = tuple(Value(random.uniform(-1, 1)) for _ in range(nin))
        self.b = Value(random.uniform(-1, 1))
        self.activation = activation

    def __call__(self, x):
        return self.ends[self.activation](sum((wi * xi for wi, xi in zip(self.w, x)), self.b))

    def parameters(self):
        return (*self.w, self.b)


class Layer(Module):
    def __init__(self, nin, nout, activation="tanh"):
        self.neurons = tuple(Neuron(nin, activation) for _ in range(nout))

    def __call__(self, x):
        return tuple(n(x) for n in self.neurons)

    def parameters(self):
        return sum((n.parameters() for n in self.neurons), ())


class MLP(Module):
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        self.layers = []
        for number, nout in enumerate(nouts):
            kind = output if number == len(nouts) - 1 else activation
            self.layers.append(Layer(nin, nout, kind))
            nin = nout

    def __call__(self, x):
        out = x
        for layer in self.layers:
            out = layer(out)
        if len(out) == 1:
            (out,) = out
        return out

    def parameters(self):
        return tuple(p for layer in self.layers for p in layer.parameters())
