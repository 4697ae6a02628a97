"""Your neural network, made from your Values.

A network is an expression like any other, only longer: sums of products, squeezed by an activation.
Build it from Values, and `backward()` finds the gradient of every weight, however many there are.
Nothing in this file computes a derivative.

    grade phase7

Finish phases 1 to 6 first, because this file imports your `engine.py`. Keep the names of optional
arguments, because callers may use them: `MLP(2, [16, 1], activation="relu", output="linear")`.
"""

import random

from engine import Value


class Neuron:
    """A weighted sum of the inputs plus a bias, sent through an activation.

    activation(w[0]*x[0] + w[1]*x[1] + ... + b)
    """

    # --- Phase 7: a neural network ----------------------------------------------------------------

    def __init__(self, nin, activation="tanh"):
        """Phase 7. Set up a neuron with `nin` inputs. It has three attributes:

        - `self.w`: a list of `nin` Values, the weights. Draw each at random from -1 to 1, with
          `random.uniform(-1, 1)`. If all neurons started the same, they would all learn the same.
        - `self.b`: a Value, the bias, drawn in the same way.
        - `self.activation`: "tanh", "relu" or "linear", as given.

        >>> n = Neuron(3)
        >>> len(n.w), n.activation
        (3, 'tanh')
        """
        raise NotImplementedError("phase 7: Neuron.__init__")

    def __call__(self, x):
        """Phase 7. Return the neuron's output for the inputs `x`, as one Value.

        `x` is a list of `nin` plain numbers or Values. Multiply each weight by its input, add up
        all the products and the bias, and apply the activation: `tanh()`, `relu()`, or nothing for
        "linear".

        (Python calls `__call__` when you write `n([1.0, 2.0])`.)

        >>> n = Neuron(2, "linear")
        >>> n.w[0].data, n.w[1].data, n.b.data = 0.5, -1.0, 2.0
        >>> n([4.0, 3.0]).data
        1.0
        """
        raise NotImplementedError("phase 7: Neuron.__call__")

    def parameters(self):
        """Phase 7. Return a new list of everything the neuron can learn: its weights and its bias.

        The list holds the Values themselves, not copies, because training changes them.
        """
        raise NotImplementedError("phase 7: Neuron.parameters")


class Layer:
    """Neurons side by side: they all see the same inputs, and each has its own weights."""

    def __init__(self, nin, nout, activation="tanh"):
        """Phase 7. Set `self.neurons` to a list of `nout` new neurons.

        Each has `nin` inputs and this activation.
        """
        raise NotImplementedError("phase 7: Layer.__init__")

    def __call__(self, x):
        """Phase 7. Return a list with the output of each neuron for the inputs `x`.

        Return a list even if there is only one neuron, because the next layer loops over it.
        """
        raise NotImplementedError("phase 7: Layer.__call__")

    def parameters(self):
        """Phase 7. Return the parameters of all neurons in one flat list, neuron by neuron."""
        raise NotImplementedError("phase 7: Layer.parameters")


class MLP:
    """A multilayer perceptron: layers in a row, each passing its outputs on to the next."""

    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        """Phase 7. Set `self.layers` to a list with one layer for each number in the list `nouts`.

        Each number says how many neurons the layer has. `MLP(3, [4, 4, 1])` has three layers: from
        3 inputs to 4 outputs, from 4 to 4, and from 4 to 1. The last layer uses the activation
        `output`, all the others use `activation`. Leave `nouts` unchanged. The caller may change it
        later, and the network must stay as it was made.
        """
        raise NotImplementedError("phase 7: MLP.__init__")

    def __call__(self, x):
        """Phase 7. Send `x` through all layers and return the output.

        If there is one output, return that Value itself. Otherwise return a list of Values.
        """
        raise NotImplementedError("phase 7: MLP.__call__")

    def parameters(self):
        """Phase 7. Return the parameters of all layers in one flat list, layer by layer.

        >>> len(MLP(3, [4, 4, 1]).parameters())         # 4*(3+1) + 4*(4+1) + 1*(4+1)
        41
        """
        raise NotImplementedError("phase 7: MLP.parameters")

    def zero_grad(self):
        """Phase 7. Set the gradient of every parameter to 0.0.

        Keep the same Values, with the same numbers. The parameters are the only Values that survive
        from one training step to the next. Each forward pass creates all the others again, with a
        gradient of 0.0.
        """
        raise NotImplementedError("phase 7: MLP.zero_grad")


# `backward()` now reaches every weight of a network. Try it:
# >>> net = MLP(3, [4, 4, 1]); net([2.0, 3.0, -1.0]).backward(); all(p.grad for p in net.parameters())
# True
