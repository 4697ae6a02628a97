"""`parameters()` returns a generator.

It has no length, and one pass uses it up, so an optimizer that keeps it would move the parameters
once and never again. Return a list.
"""

CAUGHT_BY = ("phase7.mlp-parameters",)


class MLP:
    def parameters(self):
        for layer in self.layers:
            yield from layer.parameters()
