"""Your neural network, made of your Values.

A network is an expression like any other, only longer: sums of products, squeezed by an activation. Build it from Values and
`backward()` finds the gradient of every weight, however many there are. Nothing in this file differentiates anything.

    grade phase7

Phases 1 to 6 must pass first: this file imports your `engine.py`.
"""

import random

from engine import Value


class Neuron:
    """A weighted sum of the inputs, plus a bias, through an activation: activation(w[0]*x[0] + w[1]*x[1] + ... + b)."""

    # --- Phase 7: a neural network ------------------------------------------------------------------------------------

    def __init__(self, nin, activation="tanh"):
        """Phase 7. A neuron with `nin` inputs. Set three attributes:

        - `self.w`: a list of `nin` Values, the weights, each drawn at random from -1 to 1: `random.uniform(-1, 1)`.
          If all neurons began alike, all would learn the same.
        - `self.b`: a Value, the bias, drawn in the same way.
        - `self.activation`: "tanh", "relu" or "linear", as it was given.

        >>> n = Neuron(3)
        >>> len(n.w), n.activation
        (3, 'tanh')
        """
        raise NotImplementedError("phase 7: Neuron.__init__")

    def __call__(self, x):
        """Phase 7. The output for the inputs `x`, a list of `nin` plain numbers or Values: one Value.

        Multiply each weight with its input, add all products and the bias, and apply the activation: `tanh()`, `relu()`,
        or nothing for "linear". (`__call__` is what Python calls for `n([1.0, 2.0])`.)

        >>> n = Neuron(2, "linear")
        >>> n.w[0].data, n.w[1].data, n.b.data = 0.5, -1.0, 2.0
        >>> n([4.0, 3.0]).data
        1.0
        """
        raise NotImplementedError("phase 7: Neuron.__call__")

    def parameters(self):
        """Phase 7. A list of all that can be learnt: the weights, then the bias. The Values themselves, not copies."""
        raise NotImplementedError("phase 7: Neuron.parameters")


class Layer:
    """Neurons side by side: all see the same inputs, each has weights of its own."""

    def __init__(self, nin, nout, activation="tanh"):
        """Phase 7. Set `self.neurons`: a list of `nout` neurons, each new, with `nin` inputs and this activation."""
        raise NotImplementedError("phase 7: Layer.__init__")

    def __call__(self, x):
        """Phase 7. A list of the neurons' outputs for the inputs `x`; a list of one, where there is one neuron.

        The next layer goes through that list, however long it is.
        """
        raise NotImplementedError("phase 7: Layer.__call__")

    def parameters(self):
        """Phase 7. One flat list of the parameters of all neurons, neuron after neuron."""
        raise NotImplementedError("phase 7: Layer.parameters")


class MLP:
    """A multilayer perceptron: layers in a row, each layer's outputs the next one's inputs."""

    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        """Phase 7. `nin` inputs, and a layer for each number in the list `nouts`, with so many neurons.

        `MLP(3, [4, 4, 1])` has three layers: from 3 inputs to 4 outputs, from 4 to 4, from 4 to 1. Set `self.layers` to
        the list of them. All layers have this `activation`, the last one `output`.
        """
        raise NotImplementedError("phase 7: MLP.__init__")

    def __call__(self, x):
        """Phase 7. Send `x` through all layers. The Value itself if there is one output, else a list of Values."""
        raise NotImplementedError("phase 7: MLP.__call__")

    def parameters(self):
        """Phase 7. One flat list of the parameters of all layers, layer after layer.

        >>> len(MLP(3, [4, 4, 1]).parameters())         # 4*(3+1) + 4*(4+1) + 1*(4+1)
        41
        """
        raise NotImplementedError("phase 7: MLP.parameters")

    def zero_grad(self):
        """Phase 7. Set the gradient of every parameter to 0.0. The parameters stay the same Values, with their numbers.

        The parameters are the only Values that live on from one step of training to the next. All others are made anew
        with every forward pass, and begin with 0.0.
        """
        raise NotImplementedError("phase 7: MLP.zero_grad")
