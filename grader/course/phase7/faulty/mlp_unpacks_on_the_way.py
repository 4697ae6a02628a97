"""A list of one is unpacked after every layer, in place of after the last one.

With one neuron in a middle layer the next layer then gets a Value where it needs a list. Unpack once, when the loop is over.
"""

CAUGHT_BY = ("phase7.mlp-output",)


class MLP:
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
            if len(x) == 1:
                x = x[0]
        return x
