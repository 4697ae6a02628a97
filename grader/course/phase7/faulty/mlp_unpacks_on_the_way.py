"""A list of one is unpacked after every layer instead of only after the last.

If a middle layer has one neuron, the next layer gets a Value where it needs a list. Unpack once,
after the loop.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
            if len(x) == 1:
                x = x[0]
        return x
