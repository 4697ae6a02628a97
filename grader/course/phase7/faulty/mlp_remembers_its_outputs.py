"""A network remembers its outputs, and returns the old one for inputs that it has seen.

Training changes the weights between two calls with the same inputs. The remembered output belongs
to the old weights, and its graph to an earlier step. Compute it again in every call.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __init__(self, nin, nouts, activation="tanh", output="tanh"):
        sizes = [nin, *nouts]
        kinds = [activation] * (len(nouts) - 1) + [output]
        self.layers = [Layer(*shape) for shape in zip(sizes, nouts, kinds)]
        self.known = {}

    def __call__(self, x):
        key = tuple(x)
        if key not in self.known:
            for layer in self.layers:
                x = layer(x)
            self.known[key] = x[0] if len(x) == 1 else x
        return self.known[key]
