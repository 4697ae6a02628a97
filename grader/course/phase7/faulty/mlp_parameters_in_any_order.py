"""The parameters of the network come from a set.

A set has no order, so the list is shuffled. Collect into a list, layer by layer: no parameter is
there twice.
"""

CAUGHT_BY = ("phase7.mlp-parameters",)


class MLP:
    def parameters(self):
        found = set()
        for layer in self.layers:
            found.update(layer.parameters())
        return list(found)
