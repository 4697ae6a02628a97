"""`return` is inside the loop, so a network ends after its first layer.

A function ends at its first `return`. Move it out of the loop, level with the `for`.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
            return x[0] if len(x) == 1 else x
