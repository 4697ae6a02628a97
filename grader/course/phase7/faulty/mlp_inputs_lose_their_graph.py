"""A network turns its inputs into plain numbers.

A Value that is given as an input should get its gradient, as in a neuron. `x.data` has no graph, so
nothing arrives. Pass the inputs on as they are.
"""

CAUGHT_BY = ("phase7.mlp-backward",)


class MLP:
    def __call__(self, x):
        x = [xi.data if isinstance(xi, Value) else xi for xi in x]
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x
